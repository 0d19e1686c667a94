// scripts/reference/fastclock.c — an accelerated clock for every process that preloads it.
//
// A process sees fake = fake0 + (real - real0) * rate, and each of its waits ends after 1/rate of the
// span it asked for. Daemons and jobs that inherit REHEARSE_CLOCK therefore live on one clock.
//
//   REHEARSE_CLOCK="FAKE0 REAL0 MONO0 RATE"   nanoseconds since 1970 (fake and real), nanoseconds of
//                                             CLOCK_MONOTONIC at real0, and a number >= 1
//   REHEARSE_BOOTED=FAKE                      when the node was booted, seconds since 1970: its uptime
//
// Absolute waits on condition variables are taken as CLOCK_REALTIME, the default that Slurm uses.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const int64_t kSecond = 1000000000;

// Written once, before main; only read afterwards.
static int64_t fake_origin, real_origin, mono_origin;
static double rate = 1.0;
static int is_on = -1;
static int (*libc_clock_gettime)(clockid_t, struct timespec *);
static int (*libc_cond_timedwait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
static int (*libc_mutex_timedlock)(pthread_mutex_t *, const struct timespec *);
static int (*libc_sem_timedwait)(sem_t *, const struct timespec *);

__attribute__((constructor)) static void set_up(void) {
  if (is_on >= 0) return;
  const char *text = getenv("REHEARSE_CLOCK");
  long long fake, real, mono;
  double factor;
  if (text && sscanf(text, "%lld %lld %lld %lf", &fake, &real, &mono, &factor) == 4 && factor >= 1) {
    fake_origin = fake, real_origin = real, mono_origin = mono, rate = factor;
    is_on = 1;
  } else {
    is_on = 0;
  }
  libc_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
  libc_mutex_timedlock = dlsym(RTLD_NEXT, "pthread_mutex_timedlock");
  libc_sem_timedwait = dlsym(RTLD_NEXT, "sem_timedwait");
  // On x86-64 the unversioned name may be the one of the old, incompatible condition variables.
  libc_cond_timedwait = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
  if (!libc_cond_timedwait) libc_cond_timedwait = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
}

static int64_t nanoseconds(const struct timespec *at) { return at->tv_sec * kSecond + at->tv_nsec; }

static struct timespec timespec_of(int64_t span) {
  struct timespec out = {span / kSecond, span % kSecond};
  if (out.tv_nsec < 0) out.tv_nsec += kSecond, out.tv_sec -= 1;
  return out;
}

static int is_wall(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE; }

static int is_accelerated(clockid_t clock) {
  return is_wall(clock) || clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE ||
         clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_BOOTTIME;
}

static int64_t to_fake(clockid_t clock, int64_t real) {
  if (is_wall(clock)) return fake_origin + (int64_t)((double)(real - real_origin) * rate);
  return mono_origin + (int64_t)((double)(real - mono_origin) * rate);
}

static int64_t to_real(clockid_t clock, int64_t fake) {
  if (is_wall(clock)) return real_origin + (int64_t)((double)(fake - fake_origin) / rate);
  return mono_origin + (int64_t)((double)(fake - mono_origin) / rate);
}

/// A span of the fake clock as a span of the machine's; what is not nothing stays so.
static struct timespec shorter(const struct timespec *span) {
  int64_t fake = nanoseconds(span), real = (int64_t)((double)fake / rate);
  return timespec_of(fake > 0 && real < 1 ? 1 : real);
}

static struct timespec longer(const struct timespec *span) {
  return timespec_of((int64_t)((double)nanoseconds(span) * rate));
}

// --- what the time is

int clock_gettime(clockid_t clock, struct timespec *out) {
  set_up();
  int failed = libc_clock_gettime ? libc_clock_gettime(clock, out) : (int)syscall(SYS_clock_gettime, clock, out);
  if (!failed && is_on && is_accelerated(clock)) *out = timespec_of(to_fake(clock, nanoseconds(out)));
  return failed;
}

time_t time(time_t *out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}

int sysinfo(struct sysinfo *out) {
  int failed = (int)syscall(SYS_sysinfo, out);
  const char *booted = getenv("REHEARSE_BOOTED");
  if (!failed && booted) {
    long up = (long)(time(NULL) - atoll(booted));
    out->uptime = up > 0 ? up : 0;
  }
  return failed;
}

int gettimeofday(struct timeval *out, void *zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  out->tv_sec = now.tv_sec, out->tv_usec = now.tv_nsec / 1000;
  return 0;
}

// --- waits for a span

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *asked, struct timespec *left) {
  set_up();
  int scaled = is_on && is_accelerated(clock), is_absolute = flags & TIMER_ABSTIME;
  struct timespec span = *asked;
  if (scaled) span = is_absolute ? timespec_of(to_real(clock, nanoseconds(asked))) : shorter(asked);
  if (syscall(SYS_clock_nanosleep, clock, flags, &span, left) == 0) return 0;
  int error = errno;
  if (scaled && left && !is_absolute && error == EINTR) *left = longer(left);
  return error;
}

int nanosleep(const struct timespec *asked, struct timespec *left) {
  int error = clock_nanosleep(CLOCK_MONOTONIC, 0, asked, left);
  if (error) errno = error;
  return error ? -1 : 0;
}

int usleep(useconds_t span) {
  struct timespec asked = timespec_of((int64_t)span * 1000);
  return nanosleep(&asked, NULL);
}

unsigned sleep(unsigned span) {
  struct timespec asked = {span, 0}, left = {0, 0};
  if (nanosleep(&asked, &left) == 0) return 0;
  return (unsigned)left.tv_sec + (left.tv_nsec > 0);
}

unsigned alarm(unsigned span) {
  set_up();
  double factor = is_on ? rate : 1.0;
  int64_t real_us = (int64_t)(span * 1e6 / factor);
  if (span && real_us < 1) real_us = 1;
  struct itimerval timer = {{0, 0}, {real_us / 1000000, real_us % 1000000}}, before;
  setitimer(ITIMER_REAL, &timer, &before);
  double left = ((double)before.it_value.tv_sec + (double)before.it_value.tv_usec * 1e-6) * factor;
  return left > 0 && left < 1 ? 1 : (unsigned)left;
}

// --- waits for a descriptor, at most for a span

int ppoll(struct pollfd *set, nfds_t count, const struct timespec *limit, const sigset_t *mask) {
  set_up();
  struct timespec span;
  if (limit) span = is_on ? shorter(limit) : *limit;
  return (int)syscall(SYS_ppoll, set, count, limit ? &span : NULL, mask, sizeof(uint64_t));
}

int poll(struct pollfd *set, nfds_t count, int limit_ms) {
  struct timespec limit = timespec_of((int64_t)limit_ms * 1000000);
  return ppoll(set, count, limit_ms < 0 ? NULL : &limit, NULL);
}

int __poll_chk(struct pollfd *set, nfds_t count, int limit_ms, size_t size) {
  (void)size;
  return poll(set, count, limit_ms);
}

int select(int count, fd_set *in, fd_set *out, fd_set *bad, struct timeval *limit) {
  set_up();
  struct timespec span;
  if (limit) {
    struct timespec asked = {limit->tv_sec, limit->tv_usec * 1000};
    span = is_on ? shorter(&asked) : asked;
  }
  return (int)syscall(SYS_pselect6, count, in, out, bad, limit ? &span : NULL, NULL);
}

int epoll_wait(int descriptor, struct epoll_event *events, int count, int limit_ms) {
  set_up();
  int real_ms = limit_ms;
  if (is_on && limit_ms > 0) real_ms = (int)(limit_ms / rate) + 1;
  return (int)syscall(SYS_epoll_pwait, descriptor, events, count, real_ms, NULL, sizeof(uint64_t));
}

// --- waits for another thread, until an instant

static struct timespec machine_instant(const struct timespec *until) {
  set_up();
  return is_on ? timespec_of(to_real(CLOCK_REALTIME, nanoseconds(until))) : *until;
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  struct timespec at = machine_instant(until);
  return libc_cond_timedwait(condition, mutex, &at);
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until) {
  struct timespec at = machine_instant(until);
  return libc_mutex_timedlock(mutex, &at);
}

int sem_timedwait(sem_t *semaphore, const struct timespec *until) {
  struct timespec at = machine_instant(until);
  return libc_sem_timedwait(semaphore, &at);
}
