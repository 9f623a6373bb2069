/* The forwarder's message in C: what the language of the hook costs, with the same collector. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static char data[1 << 20];

static size_t frame(char *at, char letter, const char *body, uint32_t size) {
    at[0] = letter;
    at[1] = size >> 24, at[2] = size >> 16, at[3] = size >> 8, at[4] = size;
    memmove(at + 5, body, size);
    return 5 + size;
}

int main(int argc, char **argv) {
    static char head[4096], message[1 << 21], reply[512];
    ssize_t got, size = 0;
    if (argc < 4) return 2;
    while ((got = read(0, data + size, sizeof data - size)) > 0) size += got;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int used = snprintf(head, sizeof head, "%lld%09ld%c2%c%s%c%s%cHOME=%s", (long long)now.tv_sec,
                        now.tv_nsec, 0, 0, argv[2], 0, argv[3], 0, getenv("HOME"));
    size_t length = frame(message, 'H', head, used);
    length += frame(message + length, 'Z', data, size);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
    int line = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(line, (struct sockaddr *)&address, sizeof address)) return 1;
    for (size_t sent = 0; sent < length;) {
        got = write(line, message + sent, length - sent);
        if (got <= 0) return 1;
        sent += got;
    }
    got = read(line, reply, sizeof reply);
    return got > 1 && reply[0] == '+' ? 0 : 1;
}
