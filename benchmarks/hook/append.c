/* The floor: reads standard input and appends it to a file with one write and fdatasync. */
#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv) {
    static char data[1 << 20];
    ssize_t size = 0, got;
    int file;
    while (size < (ssize_t)sizeof data && (got = read(0, data + size, sizeof data - size)) > 0)
        size += got;
    file = open(argc > 1 ? argv[1] : "/dev/null",
                O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file >= 0 && write(file, data, size) == size)
        fdatasync(file);
    return 0;
}
