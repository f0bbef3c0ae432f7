//===- Workers.cpp - tests in processes of their own ----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Workers.h"
#include <chrono>
#include <cstring>
#include <deque>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::glow;
using Clock = std::chrono::steady_clock;

// --- One process -------------------------------------------------------------

namespace {
class Process {
public:
  Process() = default;
  Process(const Process &) = delete;
  ~Process() { end(); }

  bool isAlive() const { return pid > 0; }
  int descriptor() const { return socket; }
  bool start(const Workers::Work &work);
  bool send(const Job &job) {
    return write(socket, &job, sizeof(job)) == sizeof(job);
  }
  /// Reads what has come; true once an outcome is complete.
  bool receive();
  /// The outcome that was received.
  Outcome take();
  /// Kills the process if it has not ended, and tells how it ended.
  std::string end();

private:
  [[noreturn]] static void serve(int socket, const Workers::Work &work);

  pid_t pid = 0;
  int socket = -1;
  FILE *messages = nullptr; // its standard error
  std::string text;
};
} // namespace

static bool writeAll(int descriptor, StringRef text) {
  while (!text.empty()) {
    ssize_t written = write(descriptor, text.data(), text.size());
    if (written <= 0)
      return false;
    text = text.drop_front(written);
  }
  return true;
}

void Process::serve(int socket, const Workers::Work &work) {
  Job job;
  while (read(socket, &job, sizeof(job)) == sizeof(job)) {
    std::string line;
    llvm::raw_string_ostream(line)
        << llvm::json::Value(work(job).toJson()) << '\n';
    if (!writeAll(socket, line))
      break;
  }
  // Not exit: the parent's objects are not this process's to destroy.
  _exit(0);
}

bool Process::start(const Workers::Work &work) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
    return false;
  messages = tmpfile();
  pid = fork();
  if (pid == 0) {
    close(ends[0]);
    if (messages)
      dup2(fileno(messages), STDERR_FILENO);
    serve(ends[1], work);
  }
  close(ends[1]);
  socket = ends[0];
  return pid > 0;
}

bool Process::receive() {
  char buffer[4096];
  ssize_t size = read(socket, buffer, sizeof(buffer));
  if (size > 0)
    text.append(buffer, size);
  return size <= 0 || text.back() == '\n';
}

Outcome Process::take() {
  if (text.empty() || text.back() != '\n')
    return Outcome::failure(Outcome::Failed, "the process " + end());
  auto value = llvm::json::parse(text);
  text.clear();
  if (value && value->getAsObject())
    return Outcome::fromJson(*value->getAsObject());
  llvm::consumeError(value.takeError());
  return Outcome::failure(Outcome::Failed, "the process " + end());
}

/// How what a process wrote begins: an error comes before the calls that led to
/// it.
static std::string lastWords(FILE *file) {
  char buffer[300];
  if (!file)
    return "";
  rewind(file);
  size_t size = fread(buffer, 1, sizeof(buffer), file);
  StringRef text = StringRef(buffer, size).trim();
  return text.empty() ? "" : (": " + text).str();
}

std::string Process::end() {
  if (pid <= 0)
    return "";
  // Processes that were forked later hold this end too.
  shutdown(socket, SHUT_RDWR);
  close(socket);
  // One that crashes is gone soon; one that hangs is not.
  int status = 0;
  for (int i = 0; i < 100 && waitpid(pid, &status, WNOHANG) == 0; ++i)
    usleep(10'000);
  kill(pid, SIGKILL);
  waitpid(pid, &status, 0);
  std::string how =
      WIFSIGNALED(status)
          ? std::string("ended by signal ") + strsignal(WTERMSIG(status))
          : "ended with " + std::to_string(WEXITSTATUS(status));
  how += lastWords(messages);
  if (messages)
    fclose(messages);
  messages = nullptr;
  pid = 0;
  text.clear();
  return how;
}

// --- All of them -------------------------------------------------------------

namespace {
/// Two processes, of which one works.
struct Worker {
  Process processes[2];
  std::optional<Job> job;
  Clock::time_point deadline;

  Process &process() { return processes[job->isSecond]; }
};
} // namespace

static bool give(Worker &worker, const Job &job, unsigned seconds,
                 const Workers::Work &work) {
  worker.job = job;
  worker.deadline = Clock::now() + std::chrono::seconds(seconds);
  Process &process = worker.process();
  return (process.isAlive() || process.start(work)) && process.send(job);
}

/// Waits for a message or for the first deadline.
static void waitFor(ArrayRef<std::unique_ptr<Worker>> workers,
                    std::vector<pollfd> &descriptors) {
  descriptors.clear();
  auto first = Clock::time_point::max();
  for (const auto &worker : workers) {
    int descriptor = worker->job ? worker->process().descriptor() : -1;
    descriptors.push_back({descriptor, POLLIN, 0});
    if (worker->job)
      first = std::min(first, worker->deadline);
  }
  auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      first - Clock::now());
  poll(descriptors.data(), descriptors.size(),
       std::max<int64_t>(0, left.count()) + 1);
}

llvm::Error Workers::run(std::vector<Job> jobs, Done done) {
  signal(SIGPIPE, SIG_IGN);
  std::deque<Job> queue(jobs.begin(), jobs.end());
  std::vector<std::unique_ptr<Worker>> workers(count);
  for (auto &worker : workers)
    worker = std::make_unique<Worker>();
  auto feed = [&](Worker &worker) {
    worker.job.reset();
    if (queue.empty())
      return true;
    Job job = queue.front();
    queue.pop_front();
    return give(worker, job, seconds, work);
  };
  bool isStarted = true;
  for (auto &worker : workers)
    isStarted &= feed(*worker);
  std::vector<pollfd> descriptors;
  while (isStarted && llvm::any_of(workers, [](auto &w) { return w->job; })) {
    waitFor(workers, descriptors);
    for (auto [worker, descriptor] : llvm::zip(workers, descriptors)) {
      if (!worker->job)
        continue;
      Outcome outcome;
      if (descriptor.revents) {
        if (!worker->process().receive())
          continue;
        outcome = worker->process().take();
      } else if (Clock::now() > worker->deadline) {
        worker->process().end();
        outcome = Outcome::failure(Outcome::Failed,
                                   "does not end within " +
                                       std::to_string(seconds) + " s");
      } else {
        continue;
      }
      Job job = *worker->job;
      if (auto next = done(job, std::move(outcome)))
        queue.push_front(*next);
      isStarted &= feed(*worker);
    }
  }
  return isStarted ? llvm::Error::success()
                   : llvm::createStringError("cannot start a process");
}
