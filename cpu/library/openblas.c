/* SPDX-License-Identifier: Apache-2.0
 *
 * openblas: the products by OpenBLAS.
 */
#include <cblas.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "cpu/library/library.h"

static void multiply(const library_product *p)
{
    const int rows = (int)p->rows, columns = (int)p->columns, depth = (int)p->depth;
    const int lda = (int)p->lda, ldb = (int)p->ldb, ldc = (int)p->ldc;
    if (p->rows > 1)
        cblas_sgemm(CblasRowMajor, CblasNoTrans, p->transposed ? CblasTrans : CblasNoTrans, rows,
                    columns, depth, 1.0f, p->a, lda, p->b, ldb, p->beta, p->c, ldc);
    else if (p->transposed)
        cblas_sgemv(CblasRowMajor, CblasNoTrans, columns, depth, 1.0f, p->b, ldb, p->a, 1, p->beta,
                    p->c, 1);
    else
        cblas_sgemv(CblasRowMajor, CblasTrans, depth, columns, 1.0f, p->b, ldb, p->a, 1, p->beta,
                    p->c, 1);
}

static void tile(const cpu_tile *t)
{
    library_tile(t, multiply);
}

/* One thread per call: the frame's threads make the calls, which is faster than OpenBLAS's own
 * threads on blocks this small, and leaves none of them spinning beside other rows. */
static void start(void)
{
#ifdef _OPENMP
    const int threads = omp_get_max_threads();
#endif
    openblas_set_num_threads(1);
#ifdef _OPENMP
    omp_set_num_threads(threads); /* OpenBLAS built on OpenMP sets the whole program's */
#endif
}

extern const library_impl openblas;
const library_impl openblas = {
    .kernel = {.tile = tile, .scratch = library_scratch, .few = LIBRARY_QUERIES}, .start = start};
