/* The thermometer of PROTOCOL.md at a serial port: cc -O2 -Wall -o thermometer thermometer.c && ./thermometer PORT */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#define LONGEST 32
#define LOW (-4000)
#define HIGH 12500
#define AT_START 3000
#define ROOM 2150

static long limit = AT_START, reading = ROOM; /* hundredths of a degree */

/* Reads "-12.5" as -1250 hundredths; returns 0 if text is no number of at most two decimals. */
static int number(const char *text, long *value)
{
    int minus = *text == '-', digits = 0, decimals = 0;
    long sum = 0;

    for (text += minus; *text >= '0' && *text <= '9' && digits < 3; text++, digits++)
        sum = 10 * sum + (*text - '0');
    if (digits && *text == '.')
        for (text++; *text >= '0' && *text <= '9' && decimals < 2; text++, decimals++)
            sum = 10 * sum + (*text - '0');
    else
        decimals = -1;
    if (!digits || *text || decimals == 0)
        return 0;
    for (decimals = decimals < 0 ? 0 : decimals; decimals < 2; decimals++)
        sum *= 10;
    *value = minus ? -sum : sum;
    return 1;
}

static void degrees(char *out, size_t size, const char *word, long value)
{
    snprintf(out, size, "%s %s%ld.%02ld\n", word, value < 0 ? "-" : "", labs(value) / 100, labs(value) % 100);
}

static void answer(const char *line, char *out, size_t size)
{
    long value;

    *out = 0;
    if (!strcmp(line, "ID")) {
        snprintf(out, size, "ID thermometer 1.0\n");
    } else if (!strcmp(line, "READ")) {
        reading = reading <= ROOM ? ROOM + 1 : ROOM - 1; /* the sensor's noise */
        degrees(out, size, "T", reading);
    } else if (!strcmp(line, "LIMIT")) {
        degrees(out, size, "LIMIT", limit);
    } else if (!strncmp(line, "LIMIT ", 6) && number(line + 6, &value)) {
        if (value >= LOW && value <= HIGH)
            limit = value;
        snprintf(out, size, value >= LOW && value <= HIGH ? "OK\n" : "ERR range\n");
    } else if (!strcmp(line, "RESET")) {
        limit = AT_START, reading = ROOM;
        snprintf(out, size, "OK\n");
    } else if (!strcmp(line, "RELAY")) {
        snprintf(out, size, "RELAY %d\n", reading >= limit);
    } else if (*line) {
        snprintf(out, size, "ERR unknown\n");
    }
}

int main(int count, char **words)
{
    char line[LONGEST + 1], out[64], byte;
    size_t length = 0, sent;
    int port = count > 1 ? open(words[1], O_RDWR | O_NOCTTY) : -1;
    struct termios raw;

    if (port < 0 || tcgetattr(port, &raw))
        return perror(count > 1 ? words[1] : "thermometer PORT"), 1;
    cfmakeraw(&raw);
    tcsetattr(port, TCSANOW, &raw);
    while (read(port, &byte, 1) == 1) {
        if (byte != '\n') {
            if (length < LONGEST)
                line[length] = byte ? byte : '?'; /* a zero would end the text */
            length++;
            continue;
        }
        line[length > LONGEST ? 0 : length] = 0;
        answer(line, out, sizeof out);
        if (length > LONGEST)
            snprintf(out, sizeof out, "ERR long\n");
        length = 0;
        sent = strlen(out);
        if (write(port, out, sent) != (ssize_t)sent)
            return 1;
    }
    return 0;
}
