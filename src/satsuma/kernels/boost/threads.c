/* Tasks of a job dealt to the threads that help to grow a tree. */
#include "grower.h"
#include <sched.h>

#define SPIN 4000 /* looks for a task, of some 20 ns each, before another process may have the core */

#if defined(__x86_64__) || defined(__i386__)
#define REST() __builtin_ia32_pause()
#elif defined(__aarch64__) && defined(__GNUC__)
#define REST() __asm__ volatile("yield")
#else
#define REST() ((void)0)
#endif

ALWAYS void wait_a_little(int turn) {
    if (turn > SPIN) sched_yield();
    else REST();
}

/* The next task of the job that is on, or of the last one if none is: -1 if there is none. Whoever has a task keeps
   the job from ending, so that all it reads of it holds. */
static int64_t next_task(boost_grower *g) {
    uint64_t deal = atomic_load_explicit(&g->deal, memory_order_acquire);
    while ((deal & 0xFFFFFF) < (deal >> 24 & 0xFFFFFF))
        if (atomic_compare_exchange_weak_explicit(&g->deal, &deal, deal + 1, memory_order_acq_rel, memory_order_acquire))
            return (int64_t)(deal & 0xFFFFFF);
    return -1;
}

void boost_run(boost_grower *g, int job, int64_t tasks, int alone) {
    g->job = job;
    if (alone || !g->helpers || tasks < 2) {
        for (int64_t at = 0; at < tasks; at++) boost_work(g, at, 0);
        return;
    }
    uint64_t number = (atomic_load(&g->deal) >> 48) + 1;
    atomic_store(&g->pending, tasks);
    atomic_store_explicit(&g->deal, number << 48 | (uint64_t)tasks << 24, memory_order_release);
    int64_t done = 0;
    for (int64_t at; (at = next_task(g)) >= 0; done++) boost_work(g, at, 0);
    atomic_fetch_sub_explicit(&g->pending, done, memory_order_release);
    for (int turn = 0; atomic_load_explicit(&g->pending, memory_order_acquire) > 0; turn++) wait_a_little(turn);
}

void boost_help(boost_grower *g) {
    int me = atomic_fetch_add(&g->threads, 1);
    if (me > g->helpers) return;
    for (int turn = 0; !atomic_load_explicit(&g->over, memory_order_acquire);) {
        int64_t at = next_task(g);
        if (at < 0) {
            wait_a_little(turn += turn <= SPIN);
            continue;
        }
        boost_work(g, at, me);
        atomic_fetch_sub_explicit(&g->pending, 1, memory_order_release);
        turn = 0;
    }
}

void boost_begin(boost_grower *g) { atomic_store(&g->over, 0), atomic_store(&g->threads, 1); }
void boost_end(boost_grower *g) { atomic_store(&g->over, 1); }
