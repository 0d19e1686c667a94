// scripts/reference/work.c — what a recorded job does: so many seconds of work, which stands still while the job is suspended.
//
//   work SECONDS    of the clock that it sees, stops not counted
//
// Slurm stops a program with SIGTSTP, some seconds later SIGSTOP, and lets it go on with SIGCONT. A `sleep` would end
// at its hour all the same; what computes does not. This one stops at the first of the two signals, and counts
// from there when it goes on: no clock needs to tick meanwhile.
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile sig_atomic_t must_stop;

static void on_stop(int signal) {
  (void)signal;
  must_stop = 1;
}

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

int main(int count, char **words) {
  char *end = NULL;
  double left = count == 2 ? strtod(words[1], &end) : -1;
  if (count != 2 || end == words[1] || *end != '\0' || !(left >= 0)) {
    fprintf(stderr, "usage: work SECONDS\n");
    return 2;
  }
  sigset_t stop, open;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  sigprocmask(SIG_BLOCK, &stop, &open);  // it comes in only while the program waits
  sigdelset(&open, SIGTSTP);
  struct sigaction action = {.sa_handler = on_stop};
  sigaction(SIGTSTP, &action, NULL);
  while (left > 0) {
    struct timespec span = {(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
    double began = now();
    ppoll(NULL, 0, &span, &open);
    left -= now() - began;
    if (must_stop) {
      must_stop = 0;
      raise(SIGSTOP);
    }
  }
  return 0;
}
