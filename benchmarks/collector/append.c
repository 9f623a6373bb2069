/* The least a hook can do: reads its input, appends it to a file, syncs. For comparison only. */
#include <fcntl.h>
#include <unistd.h>

static char data[1 << 20];

int main(int argc, char **argv) {
    ssize_t got, size = 0;
    while ((got = read(0, data + size, sizeof data - size)) > 0) size += got;
    int log = open(argc > 1 ? argv[1] : "append.log", O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (log < 0 || write(log, data, size) != size || fdatasync(log)) return 1;
    return 0;
}
