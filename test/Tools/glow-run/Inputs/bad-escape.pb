j
location../../secretp