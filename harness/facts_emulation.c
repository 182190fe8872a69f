/* SPDX-License-Identifier: Apache-2.0
 *
 * Is this program run by another one that only behaves like a CPU?
 */
#include <string.h>

#include "harness/facts_parts.h"

#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

/* What a CPU of the architecture that this program was built for calls itself in /proc/cpuinfo. */
#if defined(__x86_64__) || defined(__i386__)
#define BUILT_FOR "x86"
#define OWN_KEY   "vendor_id"
#define OTHER_KEY "CPU implementer"
#elif defined(__aarch64__) || defined(__arm__)
#define BUILT_FOR "Arm"
#define OWN_KEY   "CPU implementer"
#define OTHER_KEY "vendor_id"
#endif

/* NULL: no sign of an emulator in what kind of CPU the kernel sees. */
static const char *foreign_cpu(const char *root)
{
#ifdef BUILT_FOR
    static const char cpuinfo[] = "/proc/cpuinfo";
    if (system_keyed_line(root, cpuinfo, OWN_KEY).text[0] == '\0' &&
        system_keyed_line(root, cpuinfo, OTHER_KEY).text[0] != '\0')
        return "built for " BUILT_FOR ", but /proc/cpuinfo has another kind of CPU";
    if (strcmp(system_keyed_line(root, cpuinfo, OWN_KEY).text, "VirtualApple") == 0)
        return "the CPU is translated (VirtualApple)";
    if (strncmp(system_keyed_line(root, cpuinfo, "model name").text, "QEMU", 4) == 0)
        return "the CPU is emulated (QEMU, in /proc/cpuinfo)";
#else
    (void)root;
#endif
#ifdef __APPLE__
    int translated = 0;
    size_t size = sizeof translated;
    if (sysctlbyname("sysctl.proc_translated", &translated, &size, NULL, 0) == 0 && translated)
        return "the program is translated (Rosetta)";
#endif
    return NULL;
}

/* Emulators of user programs (QEMU, valgrind) put the emulated program's name in /proc/self, but
 * not in /proc/thread-self, which is about themselves. */
void facts_emulation(machine_facts *f, const facts_sources *s)
{
    static const char advice[] = "run on a real CPU of this kind: times here are the emulator's";
    const system_line own = system_link(s->root, "/proc/self/exe"),
                      thread = system_link(s->root, "/proc/thread-self/exe");
    const char *foreign = foreign_cpu(s->root);
    const bool both = own.text[0] != '\0' && thread.text[0] != '\0';
    if (both && strcmp(own.text, thread.text) != 0)
        facts_add(f, "emulation", FACT_FATAL, advice, "run by %.160s", thread.text);
    else if (foreign != NULL)
        facts_add(f, "emulation", FACT_FATAL, advice, "%s", foreign);
    else if (both)
        facts_add(f, "emulation", FACT_FINE, advice, "no sign of it");
    else
        facts_add(f, "emulation", FACT_UNKNOWN, advice, "no /proc/thread-self/exe");
}
