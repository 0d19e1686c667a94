# bench/macro/easy.py — textbook EASY backfill on equal GPUs: what a simulator without Slurm costs.
"""A queue in order of arrival; the first that does not fit gets one reservation from the limits of what
runs (the shadow time, and the GPUs it leaves over); a later job starts if it ends by then, or fits into
what is left over. No priorities, nodes, account limits or clocks: a lower bound of the work.
"""
import heapq

NEVER = 1 << 60  # seconds


class Easy:
    def __init__(self, gpus):
        self.free = gpus
        self.running = []  # heap of (end, number, limit's end, GPUs)
        self.queue = []
        self.waited = 0
        self.now = 0

    def run(self, jobs):
        """Mean wait [s] of `jobs`, which come by submission."""
        arrived = 0
        while arrived < len(jobs) or self.running:
            self.now = min(jobs[arrived].submit if arrived < len(jobs) else NEVER,
                           self.running[0][0] if self.running else NEVER)
            while self.running and self.running[0][0] <= self.now:
                self.free += heapq.heappop(self.running)[3]
            while arrived < len(jobs) and jobs[arrived].submit <= self.now:
                self.queue.append(jobs[arrived])
                arrived += 1
            self.start_first()
            if self.queue and self.free:
                self.backfill()
        return self.waited / len(jobs)

    def start(self, job):
        self.free -= job.gpus
        self.waited += self.now - job.submit
        heapq.heappush(self.running,
                       (self.now + job.run, job.number, self.now + job.limit, job.gpus))

    def start_first(self):
        first = 0
        while first < len(self.queue) and self.queue[first].gpus <= self.free:
            self.start(self.queue[first])
            first += 1
        del self.queue[:first]

    def shadow(self):
        """When the first of the queue can start if all run to their limits, and the GPUs left over."""
        free = self.free
        for end, gpus in sorted((limit, gpus) for _, _, limit, gpus in self.running):
            free += gpus
            if free >= self.queue[0].gpus:
                return end, free - self.queue[0].gpus
        raise ValueError(f"job {self.queue[0].number} asks for more than there is")

    def backfill(self):
        shadow, spare = self.shadow()
        kept = self.queue[:1]
        for job in self.queue[1:]:
            in_time = self.now + job.limit <= shadow
            if job.gpus > self.free or not (in_time or job.gpus <= spare):
                kept.append(job)
                continue
            if not in_time:
                spare -= job.gpus
            self.start(job)
        self.queue = kept
