j
locationno-such-filep