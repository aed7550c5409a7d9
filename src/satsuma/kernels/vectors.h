/* Several numbers at a time; the compiler makes of it what the machine has. Included by the loops of kernels, each
   of which has said TARGET, the attribute that asks the compiler for the instructions of a machine, NUMBER, the type
   of the numbers, WHOLE, that of integers of the same size, and VEC, how many of them go together. */
#define INLINE static inline __attribute__((always_inline)) TARGET
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi" /* nothing that takes a vector is called from outside */
#endif

typedef NUMBER vector __attribute__((vector_size(VEC * sizeof(NUMBER))));
typedef NUMBER loose __attribute__((vector_size(VEC * sizeof(NUMBER)), aligned(sizeof(NUMBER))));
typedef WHOLE mask __attribute__((vector_size(VEC * sizeof(NUMBER))));
#define WHERE(which, x) ((vector)((mask)(x) & (which)))
#define CHOOSE(which, x, y) ((vector)(((mask)(x) & (which)) | ((mask)(y) & ~(which))))
