/* A ring that is not there, in C: written from hardware/PROTOCOL.md alone. See README.md beside it. */
#define _GNU_SOURCE
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "device.h"

enum { LONGEST = 120, LONGEST_BODY = 109, ROOM = 256, WINDOW = 64, REACH = 192, PROBES = 8, MOST_EDGES = 16 };
enum { MOST_LINES = 16, MOST_FRAMES = 64, MOST_FIELDS = 24, HALF_US = 1200, DAZZLED = 1000, MOST_TOKEN = 999999999 };
enum { HELLO_US = 1000000, DESERTED_US = 5000000, FIRST_US = 200000, FLOOR_US = 5000, CEILING_US = 2000000 };

/* ---- Faults: each is a mistake that somebody may make; none is switched on unless it is named. */

static const char *planted = "";
static bool fault(const char *name) { return strcmp(planted, name) == 0; }
static us_t born;

static us_t clock_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (us_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

us_t now_us(void) { return clock_us() - born; }

/* ---- 1. Lines */

typedef struct { char *key, *value; } Field;
typedef struct { char text[LONGEST + 1]; char *word; Field fields[MOST_FIELDS]; int count; } Message;
static int port = -1;
static char out[1 << 16];
static size_t out_length;
static long bad, lost, again;

static uint32_t crc32(const char *data, size_t length) {
    uint32_t crc = 0xffffffff;
    for (size_t n = 0; n < length; n++) {
        crc ^= (uint8_t)data[n];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

static void seal(char line[LONGEST + 1], const char *body) {
    snprintf(line, LONGEST + 1, "$%s*%08x\n", body, crc32(body, strlen(body)));
}

static void put(const char *line) {
    size_t length = strlen(line);
    if (out_length + length > sizeof out) return; /* the host does not read: it asks again, and events are kept */
    memcpy(out + out_length, line, length);
    out_length += length;
}

static void say(const char *form, ...) {
    char body[256], line[LONGEST + 1];
    va_list more;
    va_start(more, form);
    vsnprintf(body, sizeof body, form, more);
    va_end(more);
    body[LONGEST_BODY] = 0;
    seal(line, body);
    put(line);
}

static const char *field(const Message *m, const char *key) {
    for (int n = 0; n < m->count; n++)
        if (strcmp(m->fields[n].key, key) == 0) return m->fields[n].value;
    return NULL;
}

/* A whole number of at most 15 digits, -1 for anything else. */
us_t whole(const char *text) {
    if (!text || !*text || strlen(text) > 15 || strspn(text, "0123456789") != strlen(text)) return -1;
    return strtoll(text, NULL, fault("octal") ? 0 : 10);
}

static bool lower(const char *text) { return *text && strspn(text, "abcdefghijklmnopqrstuvwxyz") == strlen(text); }

static bool parsed(Message *m) {
    char *rest = m->text;
    m->word = strsep(&rest, " ");
    m->count = 0;
    if (!lower(m->word)) return false;
    for (char *part; (part = strsep(&rest, " "));) {
        char *equals = strchr(part, '=');
        if (!equals || !equals[1] || m->count == MOST_FIELDS) return false;
        *equals = 0;
        if (!lower(part) || (field(m, part) && !fault("key-twice"))) return false;
        m->fields[m->count++] = (Field){part, equals + 1};
    }
    return true;
}

/* ---- 3. Events: kept until they are acknowledged */

typedef struct { us_t number, sent_us; char line[LONGEST + 1]; int sends; long first_turn, last_turn; bool got, late; } Kept;
static Kept kept[ROOM];
static int kept_count;
static us_t last_number, untold;
static long turn, proven, timed_turn;
static us_t wait_us, smooth_us, spread_us;
static char boot[13], session[9];
static us_t heard_us, next_us, beat_us, token;
static int version;
static bool gate_open, lifted;
bool is_lifted(void) { return lifted; }
static us_t first_number(void) { return kept_count ? kept[0].number : last_number + 1; }
static us_t floor_div(us_t a, us_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

static void measured(us_t r) {
    if (fault("trip-not-measured")) return;
    spread_us = smooth_us < 0 ? r / 2 : spread_us + floor_div(llabs(r - smooth_us) - spread_us, 4);
    smooth_us = smooth_us < 0 ? r : smooth_us + floor_div(r - smooth_us, 8);
    wait_us = smooth_us + (fault("wait-of-tcp") ? 4 : 2) * spread_us;
    wait_us = wait_us < FLOOR_US ? FLOOR_US : wait_us > CEILING_US ? CEILING_US : wait_us;
}

static void ran_out(const Kept *event) {
    if ((event->last_turn <= timed_turn && !fault("doubled-for-each")) || fault("wait-not-doubled")) return;
    wait_us = 2 * wait_us > CEILING_US ? CEILING_US : 2 * wait_us;
    timed_turn = turn;
}

static void replay(us_t first) {
    for (int n = 0; n < kept_count; n++)
        if (kept[n].number >= first) kept[n].got = kept[n].late = false, kept[n].sends = 0;
}

static void forget(int count) {
    memmove(kept, kept + count, sizeof *kept * (size_t)(kept_count - count));
    kept_count -= count;
}

static void keep(us_t at, const char *word, const char *more) {
    char body[256];
    if (kept_count == ROOM) forget(1);
    Kept *event = &kept[kept_count++];
    memset(event, 0, sizeof *event);
    event->number = ++last_number;
    snprintf(body, sizeof body, "%s b=%s n=%lld t=%lld%s", word, boot, (long long)event->number, (long long)at, more);
    seal(event->line, body);
}

/* What was refused for want of room is told as soon as half of it is free again. */
static void tell_refused(us_t at) {
    char more[64];
    if (!untold || kept_count > ROOM / 2) return;
    snprintf(more, sizeof more, " what=store-full lost=%lld", (long long)untold);
    untold = 0;
    if (!fault("refusals-not-told")) keep(at, "fault", more);
}

static bool has_room(us_t at, int lines) {
    tell_refused(at);
    if (fault("full-drops-oldest")) { if (kept_count + lines > ROOM) lost++; return true; }
    if (!untold && kept_count + lines <= ROOM) return true;
    untold++, lost += fault("lost-lines") ? lines : 1;
    return false;
}

static void tell(us_t at, const char *word, const char *form, ...) {
    char more[160];
    va_list values;
    va_start(values, form);
    vsnprintf(more, sizeof more, form, values);
    va_end(values);
    if (has_room(at, 1)) keep(at, word, more);
}

static bool bit(const char *got, us_t k) {
    size_t length = strlen(got), digit = (size_t)k / 4;
    if (k < 0 || digit >= length) return false;
    char c = got[length - 1 - digit];
    return ((c <= '9' ? c - '0' : c - 'a' + 10) >> (k % 4)) & 1;
}

static void acknowledged(us_t upto, const char *got, us_t now) {
    Kept *newest = NULL;
    int done = 0;
    for (int n = 0; n < kept_count; n++) {
        Kept *event = &kept[n];
        bool here = event->number <= upto || bit(got, event->number - upto - 1);
        if (here && !event->got && event->sends) {
            if (event->first_turn > proven) proven = event->first_turn;
            newest = event;
        }
        event->got = here;
        done += event->number <= upto || (here && fault("arrived-is-forgotten"));
    }
    if (newest && newest->sends == 1 && newest->last_turn > timed_turn) measured(now - newest->sent_us);
    forget(done);
    for (int n = 0; n < kept_count; n++)
        if (kept[n].sends && !kept[n].got && kept[n].last_turn < proven && !fault("overtaken-waits")) kept[n].late = true;
}

static void send_event(Kept *event, us_t now, bool twice) {
    if (event->last_turn) again++;
    event->last_turn = ++turn;
    if (!event->sends++) event->first_turn = turn;
    event->sent_us = now;
    event->late = false;
    put(event->line);
    if (twice) put(event->line);
}

static void send_events(us_t now) {
    int on_the_way = 0, waiting = 0, most = fault("no-window") ? ROOM : WINDOW;
    us_t since = now - wait_us;
    for (int n = 0; n < kept_count && on_the_way < most; n++) {
        Kept *event = &kept[n];
        if (event->got) continue;
        if (event->number >= kept[0].number + REACH && !fault("no-reach")) break;
        on_the_way++;
        if (event->sends && !event->late) {
            if (++waiting > PROBES || event->sent_us > since || fault("never-again")) continue;
            ran_out(event);
        }
        send_event(event, now, event->sends > 0);
    }
}

/* ---- The beams (6) */

typedef enum { NOTHING, INNER, OUTSIDE_FIRST, BOTH, OUTER, RETURNING, FOLLOWED, INWARD, LEAVING } State;
typedef struct { int beam; bool on; us_t at; } Edge;
typedef struct { us_t middle; int counts[4]; } Frame;
typedef struct { const char *name; us_t value, low, high; } Setting;

static Setting settings[] = {{"edge", 8000, 100, 99999}, {"gap", 4000, 100, 99999}, {"filter", 1000, 0, 99999},
                             {"stuck", 2500, 1, 99999}, {"pair", 165, 100, 350}};
enum { EDGE, GAP, FILTER, STUCK, PAIR, SETTINGS };
static us_t blinks, bounces, same, cut;
static State state;
static bool blocked[2], told_stuck, danced;
static Edge edges[MOST_EDGES + 1];
static int edge_count;
static Frame frames[MOST_FRAMES];
static int frame_count, each = 1, left_out; /* one of *each* frames is kept */
static int white[4], dark[4], black[4];
static us_t shortest(void) { return settings[FILTER].value < 1000 ? settings[FILTER].value : 1000; }

static void leave_out(Edge *list, int *count, int one, int other) {
    int kept_edges = 0;
    for (int n = 0; n < *count; n++)
        if (n != one && n != other) list[kept_edges++] = list[n];
    *count = kept_edges;
}

/* Find the two edges of one beam that follow each other fastest, in less than the shortest time. */
static bool bounce_in(const Edge *list, int count, int *one, int *other) {
    us_t least = shortest() - 1;
    int before[2] = {-1, -1};
    bool found = false;
    for (int n = 0; n < count; n++) {
        int b = before[list[n].beam];
        if (b >= 0 && list[n].at - list[b].at <= least) *one = b, *other = n, least = list[n].at - list[b].at, found = true;
        before[list[n].beam] = n;
    }
    return found;
}

static int length_of(const Edge *list, int count) {
    Edge plain[MOST_EDGES + 1];
    int one, other;
    memcpy(plain, list, sizeof *list * (size_t)count);
    while (bounce_in(plain, count, &one, &other)) leave_out(plain, &count, one, other);
    if (count != 4) return -1;
    us_t entering = plain[1].at - plain[0].at, leaving = plain[3].at - plain[2].at;
    us_t over = (plain[2].at - plain[0].at) + (plain[3].at - plain[1].at);
    if (entering < 1) entering = 1;
    if (leaving < 1) leaving = 1;
    if (fault("speed-is-even")) leaving = entering;
    us_t length = 100 * settings[GAP].value * over * (entering + leaving) / (4 * entering * leaving * settings[EDGE].value);
    return length <= 350 ? (int)length : -1;
}

/* Choose the frames that tell the passage into *best*; *any*: whether there were some before the dazzled ones went. */
static int chosen(const Edge *list, int count, Frame *best, bool *any) {
    Frame inside[MOST_FRAMES];
    bool on[2] = {false, false};
    int found = 0;
    us_t begun = -1;
    for (int n = 0; n < count; n++) {
        if (begun >= 0 && !list[n].on)
            for (int k = 0; k < frame_count; k++)
                if (frames[k].middle >= begun + HALF_US && frames[k].middle <= list[n].at - HALF_US) inside[found++] = frames[k];
        on[list[n].beam] = list[n].on;
        begun = on[0] && on[1] ? list[n].at : -1;
    }
    us_t first = list[0].at, last = list[count - 1].at;
    if (fault("frames-from-outside")) {
        memcpy(best, frames, sizeof *frames * 8);
        *any = frame_count > 0;
        return frame_count < 8 ? frame_count : 8;
    }
    int taken = 0, all = found;
    if (found)
        for (int k = 0; k < (all > 8 ? 8 : all); k++) best[taken++] = inside[all > 8 ? (2 * k + 1) * all / 16 : k];
    bool used[MOST_FRAMES] = {false};
    for (int n = 0; !found && n < 3; n++) { /* the nearest to the middle, the earlier first */
        int nearest = -1;
        for (int k = 0; k < frame_count; k++)
            if (!used[k] && frames[k].middle >= first && frames[k].middle <= last &&
                (nearest < 0 || llabs(2 * frames[k].middle - first - last) < llabs(2 * frames[nearest].middle - first - last)))
                nearest = k;
        if (nearest >= 0) used[nearest] = true;
    }
    for (int k = 0; k < frame_count; k++)
        if (used[k]) best[taken++] = frames[k];
    *any = taken > 0;
    int usable = 0;
    for (int k = 0; k < taken; k++) {
        int most = 0;
        for (int c = 0; c < 4; c++) most = best[k].counts[c] > most ? best[k].counts[c] : most;
        if (most < DAZZLED) best[usable++] = best[k];
    }
    return usable;
}

typedef struct { char word[8], more[LONGEST]; } Part;

/* Add *text* to the last of the parts if it is the same word and has room, else begin another. */
static void pack(Part *parts, int *count, const char *word, const char *key, const char *text) {
    Part *part = *count ? &parts[*count - 1] : NULL;
    if (part && strcmp(part->word, word) == 0 && strlen(part->more) + 1 + strlen(text) <= 56) {
        strcat(strcat(part->more, ","), text);
        return;
    }
    if (*count >= MOST_LINES - 1) return;
    part = &parts[(*count)++];
    snprintf(part->word, sizeof part->word, "%s", word);
    snprintf(part->more, sizeof part->more, " %s=%s", key, text);
}

static char *counted(char text[64], const int counts[4]) {
    snprintf(text, 64, "%d:%d:%d:%d", counts[0], counts[1], counts[2], counts[3]);
    return text;
}

static void tell_passage(const char *kind, const Edge *list, int count, int length) {
    Part parts[MOST_LINES];
    Frame best[MOST_FRAMES];
    char text[160], a[64], b[64];
    int many = 0;
    bool seen = strcmp(kind, "out") == 0 || strcmp(kind, "pair") == 0 || strcmp(kind, "back") == 0, any = true;
    us_t start = list[0].at, over = list[count - 1].at - start;
    if (seen && world_sees()) {
        snprintf(parts[0].more, LONGEST, " white=%s dark=%s sum=%d", counted(a, white), counted(b, dark), SUM);
        snprintf(parts[1].more, LONGEST, " black=%s sum=%d", counted(a, black), SUM);
        strcpy(parts[0].word, "ref"), strcpy(parts[1].word, "ref");
        many = 2;
    }
    if (seen) {
        int usable = chosen(list, count, best, &any);
        for (int k = 0; k < usable; k++) {
            snprintf(text, sizeof text, "%lld:%s", (long long)(best[k].middle - start), counted(a, best[k].counts));
            pack(parts, &many, "frame", "f", text);
        }
        if (any && !usable) tell(start, "fault", " what=saturated");
        if (!any && (over >= 10000 || fault("missing-of-fast"))) tell(start, "fault", " what=sensor-missing");
    }
    for (int n = 0; n < count; n++) {
        snprintf(text, sizeof text, "%c%c%lld", "AB"[list[n].beam], list[n].on ? '+' : '-', (long long)(list[n].at - start));
        pack(parts, &many, "edge", "e", text);
    }
    if (!has_room(start, many + 1)) return;
    us_t stamp = fault("stamped-at-its-end") ? start + over : start;
    if (length >= 0) snprintf(a, sizeof a, " len=%d", length);
    snprintf(text, sizeof text, " k=%s tok=%lld parts=%d%s us=%lld", kind, (long long)token, many, length >= 0 ? a : "", (long long)over);
    for (int n = 0; n < many; n++) keep(stamp, parts[n].word, parts[n].more);
    keep(stamp, "pass", text);
}

static void tell_out(const Edge *list, int count, bool vague) {
    bool solid = false;
    us_t since = 0;
    for (int n = 0; n < count; n++) {
        if (list[n].beam == 0 && !list[n].on && list[n].at - since >= shortest()) solid = true;
        if (list[n].beam == 0 && list[n].on) since = list[n].at;
    }
    if (!solid) {
        blinks++;
        tell_passage("glitch", list, count, -1);
        return;
    }
    int length = vague ? -1 : length_of(list, count);
    tell_passage(length + fault("pair-at-limit") > settings[PAIR].value ? "pair" : "out", list, count, length);
}

static void end_passage(const char *kind) {
    Edge list[MOST_EDGES + 1];
    int count = edge_count;
    bool vague = told_stuck || danced;
    memcpy(list, edges, sizeof edges);
    told_stuck = danced = false;
    edge_count = 0;
    state = NOTHING;
    if (strcmp(kind, "out") == 0) {
        tell_out(list, count, vague);
    } else {
        bool blink = count == 2 && list[1].at - list[0].at < settings[FILTER].value;
        blinks += blink;
        tell_passage(blink ? "glitch" : kind, list, count, -1);
    }
}

static bool held; /* a fault: the first of two waits for the second to move */

/* The first of two is out, of all edges but the last A+: that one begins the next passage. */
static void end_first(void) {
    Edge list[MOST_EDGES + 1], second = edges[edge_count - 2];
    int count = edge_count;
    bool vague = told_stuck || danced;
    memcpy(list, edges, sizeof edges);
    leave_out(list, &count, edge_count - 2, -1);
    told_stuck = danced = false;
    edges[0] = second;
    edge_count = 1;
    state = INNER;
    tell_out(list, count, vague);
}

static void inward_left(us_t at) {
    state = LEAVING;
    if (edge_count != 3 || at - edges[0].at >= settings[FILTER].value) return;
    Edge blink[2] = {edges[0], edges[2]};
    edges[0] = edges[1];
    edge_count = 1;
    state = INNER;
    blinks++;
    tell_passage("glitch", blink, 2, -1);
}

static void bounced(State to) { bounces++; state = to; }

static void step(int beam, bool on, us_t at) {
    bool a = beam == 0;
    switch (state) {
    case NOTHING: state = a ? INNER : OUTSIDE_FIRST; break;
    case INNER: if (a) end_passage("poke"); else state = BOTH; break;
    case BOTH: state = a ? OUTER : RETURNING; break;
    case RETURNING: if (a) end_passage("back"); else bounced(BOTH); break;
    case OUTER: if (a) state = FOLLOWED; else end_passage("out"); break;
    case FOLLOWED: if (a) bounced(OUTER); else if (!(held = fault("next-holds-back"))) end_first(); break;
    case OUTSIDE_FIRST: if (a) state = INWARD; else end_passage("glitch"); break;
    case INWARD: if (a) bounced(OUTSIDE_FIRST); else inward_left(at); break;
    case LEAVING: if (a) end_passage("glitch"); else bounced(INWARD); break;
    }
    (void)on;
}

static us_t passed_us = -1000000, moved_us;

void edge(int beam, bool on, us_t at) {
    int one, other;
    if (fault("dead-time") && at - passed_us < 200000) return;
    if (blocked[beam] == on) { same++; return; }
    if (held) held = false, end_first();
    blocked[beam] = on;
    moved_us = at;
    edges[edge_count++] = (Edge){beam, on, at};
    if (edge_count > MOST_EDGES) {
        if (!bounce_in(edges, edge_count - 3, &one, &other)) one = 4, other = 5, danced = true;
        leave_out(edges, &edge_count, one, other);
        cut += 2;
    }
    step(beam, on, at);
    int left = 0;
    for (int n = 0; n < frame_count; n++)
        if (edge_count && frames[n].middle >= edges[0].at) frames[left++] = frames[n];
    if (left < frame_count) each = 1;
    frame_count = left;
    if (!edge_count) passed_us = at;
}

void look_for_stuck(us_t now) {
    if (!edge_count || told_stuck || now - moved_us < settings[STUCK].value * 1000) return;
    told_stuck = !fault("stuck-again-and-again");
    tell_passage("stuck", edges, edge_count, -1);
}

/* ---- References, switches and jolts (3, 7) */

static us_t jolts[3];
static bool shaken;
static bool bright, dirty;
static int first_white;
static int lit(void) { return white[3] - dark[3] > 1 ? white[3] - dark[3] : 1; }

/* Take white and dark anew, and tell what begins with them. */
static void refresh(us_t at) {
    if (!world_sees() || (first_white && fault("white-never-anew"))) return;
    world_looks(white, WHITE);
    world_looks(dark, DARK);
    if (!first_white) first_white = lit();
    bool was_bright = bright, was_dirty = dirty;
    bright = 100 * dark[3] / lit() > (bright ? 25 : 33);
    int share = 100 * lit() / first_white;
    if (!bright) dirty = dirty ? share < 85 || share > 118 : share < 80 || share > 125;
    if (bright && !was_bright) tell(at, "fault", " what=ambient-light");
    if (dirty && !was_dirty) tell(at, "fault", " what=dirty-window");
}

static bool look(const char *what, us_t at) {
    char text[64];
    bool is_white = strcmp(what, "white") == 0, is_dark = strcmp(what, "dark") == 0;
    int *counts = is_white ? white : is_dark ? dark : strcmp(what, "black") == 0 ? black : NULL;
    if (!counts) return false;
    world_looks(counts, is_white ? WHITE : is_dark ? DARK : BLACK);
    if (is_white) first_white = lit(), dirty = false;
    tell(at, "look", " what=%s counts=%s sum=%d", what, counted(text, counts), SUM);
    return true;
}

void jolt(us_t at) {
    memmove(jolts, jolts + 1, 2 * sizeof *jolts);
    jolts[2] = at;
    if (!gate_open || shaken || !jolts[0] || at - jolts[0] >= 1000000) return;
    shaken = true;
    tell(at, "fault", " what=gate-open-while-shaking");
}

void frame(us_t middle, const int counts[4]) {
    if (++left_out < each && !fault("end-is-denser")) return;
    if (frame_count == MOST_FRAMES)
        for (frame_count = 0, each *= 2; frame_count < MOST_FRAMES / 2; frame_count++) frames[frame_count] = frames[2 * frame_count];
    left_out = 0;
    Frame *frame = &frames[frame_count++];
    frame->middle = middle;
    memcpy(frame->counts, counts, sizeof frame->counts);
}

void gate(us_t at, bool open) {
    if (gate_open == open) return;
    if (open) refresh(at);
    gate_open = open;
    shaken = false;
    if (!fault("early-jolts")) memset(jolts, 0, sizeof jolts);
    tell(at, "gate", " open=%d", open);
}

void lift(us_t at, bool up) {
    if (lifted == up) return;
    lifted = up;
    tell(at, "lift", " up=%d", up);
}

/* ---- 2, 4 and 5. Sessions, state, orders */

static const char *flash = "boot.count";
static us_t answered;
static char last_answer[LONGEST + 1];

void start(int speaks, const char *why) {
    long count = 0;
    FILE *file = fopen(flash, "r");
    if (file && fscanf(file, "%ld", &count) != 1) count = 0;
    if (file) fclose(file);
    if ((file = fopen(flash, "w"))) fprintf(file, "%ld", count + 1), fclose(file);
    srand((unsigned)(clock_us() ^ count));
    snprintf(boot, sizeof boot, "%06lx%06x", fault("same-boot") ? 1 : (count + 1) & 0xffffff, fault("same-boot") ? 1 : rand() & 0xffffff);
    born = clock_us();
    kept_count = edge_count = frame_count = 0;
    last_number = untold = token = answered = 0;
    bad = lost = again = turn = proven = timed_turn = 0;
    blinks = bounces = same = cut = 0;
    settings[EDGE].value = 8000, settings[GAP].value = 4000, settings[FILTER].value = 1000;
    settings[STUCK].value = 2500, settings[PAIR].value = 165;
    state = NOTHING;
    session[0] = 0, next_us = 0, beat_us = 1000000, passed_us = -1000000;
    gate_open = lifted = blocked[0] = blocked[1] = told_stuck = danced = bright = dirty = shaken = false;
    first_white = 0, out_length = 0, version = speaks;
    world_starts();
    tell(0, "boot", " why=%s test=ok", why);
    world_looks(black, BLACK);
    refresh(0);
}

static void hello(const char *to) {
    us_t from = fault("from-is-the-newest") ? last_number + 1 : first_number();
    say("hello v=%d to=%s fw=0.1-c id=example-c sensor=%s sim=%d can=glmb%s b=%s from=%lld", version, to,
        "tcs34725", simulated, simulated ? "s" : "", boot, (long long)from);
}

static void greet(const Message *m, us_t now) {
    const char *name = field(m, "h");
    us_t wanted = whole(field(m, "v"));
    if (!name || strncmp(name, "0", fault("no-name-with-0") ? 1 : 2) == 0 || strlen(name) > 8 || wanted < 0) { bad++; return; }
    if (fault("second-hi-unanswered") && strcmp(name, session) == 0) return;
    hello(name);
    if (wanted != version) { if (fault("foreign-version-ends")) session[0] = 0; return; }
    heard_us = now;
    if (strcmp(name, session) == 0) { if (fault("hi-delays-beat")) next_us = now + beat_us; if (fault("hi-sends-again")) replay(0); return; }
    snprintf(session, sizeof session, "%.8s", name);
    next_us = now + beat_us;
    if (!fault("orders-go-on")) answered = 0;
    if (fault("sift-of-session")) blinks = bounces = same = cut = 0;
    smooth_us = -1, wait_us = FIRST_US;
    replay(0);
}

static void standing(const char *word, us_t now) {
    char head[24] = "";
    if (strcmp(word, "state") == 0) snprintf(head, sizeof head, " h=%s", session);
    say("%s%s b=%s t=%lld last=%lld tok=%lld gate=%d lift=%d", word, head, boot, (long long)now, (long long)last_number,
        (long long)token, gate_open, lifted);
}

static void dump(us_t now) {
    standing("state", now);
    say("tally h=%s b=%s first=%lld lost=%ld bad=%ld again=%ld", session, boot, (long long)first_number(), lost, bad, again);
    say("sift h=%s filter=%lld stuck=%lld pair=%lld blink=%lld bounce=%lld same=%lld cut=%lld", session,
        (long long)settings[FILTER].value, (long long)settings[STUCK].value, (long long)settings[PAIR].value,
        (long long)blinks, (long long)bounces, (long long)same, (long long)cut);
}

static const char *set(const Message *m) {
    bool known = false;
    for (int n = 0; n < m->count; n++) {
        us_t value = whole(m->fields[n].value);
        if (strcmp(m->fields[n].key, "beat") == 0) {
            if (value < 0 || (value > 60000 && !fault("beat-for-ever"))) return "malformed";
            known = true;
            beat_us = (value < 100 ? 100 : value) * 1000;
            if (fault("beat-from-now")) next_us = now_us() + beat_us;
        }
        for (int k = 0; k < SETTINGS; k++) {
            if (strcmp(m->fields[n].key, settings[k].name) != 0) continue;
            if ((value < settings[k].low || value > settings[k].high) && !fault("no-limits")) return "malformed";
            known = true;
            settings[k].value = value;
        }
    }
    return known ? "" : "unknown";
}

static const char *arm(us_t to) {
    if (to < 0 || to > MOST_TOKEN) return "malformed";
    if (to != token) world_arms(), world_forgets();
    token = to;
    return "";
}

static const char *obey(const Message *m, us_t now) {
    const char *word = m->word, *rgb = field(m, "rgb"), *what = field(m, "what");
    us_t hz = whole(field(m, "hz")), ms = whole(field(m, "ms"));
    if (strcmp(word, "arm") == 0) return arm(whole(field(m, "tok")));
    if (strcmp(word, "disarm") == 0) return token = 0, "";
    if (strcmp(word, "set") == 0) return set(m);
    if (strcmp(word, "under") == 0 && simulated) return world_lays(whole(field(m, "n")), field(m, "u"));
    if (strcmp(word, "slide") == 0 && simulated) return world_slides(now) ? "" : "empty";
    if (strcmp(word, "lamp") == 0) return rgb && strlen(rgb) == 6 && strspn(rgb, "0123456789abcdef") == 6 ? "" : "malformed";
    if (strcmp(word, "beep") == 0) return hz > 0 && hz <= 20000 && ms > 0 && ms <= 5000 ? "" : "malformed";
    if (strcmp(word, "look") != 0) return "unknown";
    if (!world_sees()) return what ? "sensor" : "malformed";
    return what && look(what, now) ? "" : "malformed";
}

static void order(const Message *m, us_t now) {
    us_t number = whole(field(m, "c"));
    if (number < 0) { bad++; return; }
    if (number == answered && answered && !fault("repeated-carried-out")) put(last_answer);
    bool wanted = number == answered + 1 || (fault("repeated-carried-out") && number == answered);
    if (!wanted) return;
    char body[LONGEST];
    const char *why = obey(m, now);
    answered = number;
    snprintf(body, sizeof body, *why ? "sorry h=%s c=%lld why=%s" : "done h=%s c=%lld", session, (long long)number, why);
    seal(last_answer, body);
    put(last_answer);
}

static void understand(const Message *m, us_t now) {
    const char *h = field(m, "h"), *got = field(m, "got");
    us_t n = whole(field(m, "n")), id = whole(field(m, "id"));
    if (strcmp(m->word, "hi") == 0) { greet(m, now); return; }
    if (!session[0]) return;
    if (!h) { bad++; return; }
    if (strcmp(h, session) != 0 && !fault("any-session")) { if (fault("foreign-keeps")) heard_us = now; return; }
    heard_us = now;
    if (strcmp(m->word, "ack") == 0) {
        const char *b = field(m, "b");
        if (b && strcmp(b, boot) != 0 && !fault("any-boot")) return;
        if (!b || n < 0 || !got || strlen(got) > 48 || strspn(got, "0123456789abcdef") != strlen(got)) bad++;
        else acknowledged(n, got, now);
    } else if (strcmp(m->word, "replay") == 0) {
        if (n < 0) bad++;
        else if (!fault("no-replay")) replay(n);
    } else if (strcmp(m->word, "ping") == 0) {
        if (id < 0) bad++;
        else say("pong h=%s id=%lld t=%lld", session, (long long)id, (long long)now);
    } else if (strcmp(m->word, "dump") == 0) {
        dump(now);
    } else {
        order(m, now);
    }
}

/* ---- The wire */

static char piece[4096];
static size_t piece_length;
static bool skipping;

static void take_piece(us_t now) {
    Message m;
    size_t length = piece_length;
    if (length && piece[length - 1] == '\r') length--;
    while (fault("all-crs") && length && piece[length - 1] == '\r') length--;
    piece_length = 0;
    if (skipping || length == 0) { skipping = false; return; }
    char digits[10];
    size_t body = length < 10 ? 0 : length - 9;
    bool plain = body > 0 && (body <= LONGEST_BODY || fault("long-lines")) && body <= LONGEST;
    for (size_t n = 0; plain && n < body; n++) plain = piece[n] >= 32 && piece[n] < 127 && piece[n] != '*';
    if (plain) {
        snprintf(digits, sizeof digits, "*%08x", crc32(piece, body));
        plain = memcmp(digits, piece + body, 9) == 0 || (fault("checksum-ignored") && piece[body] == '*');
    }
    if (!plain) { bad += !fault("damage-not-counted"); return; }
    memcpy(m.text, piece, body);
    m.text[body] = 0;
    if (parsed(&m)) understand(&m, now);
}

static void hear(const char *data, size_t length, us_t now) {
    for (size_t n = 0; n < length; n++) {
        if (data[n] == '\n' || (data[n] == '$' && !(skipping && fault("long-to-newline")) && !fault("dollar-is-no-mark"))) {
            take_piece(now);
        } else if (!skipping && !(data[n] == '$' && piece_length == 0)) {
            piece[piece_length++] = data[n];
            if (piece_length > LONGEST + (fault("long-lines") ? 20 : 0)) skipping = true, piece_length = 0, bad += !fault("damage-not-counted");
        }
    }
}

static void write_out(us_t now) {
    if (session[0] && now - heard_us > DESERTED_US && !fault("session-never-ends")) session[0] = 0, token = fault("token-lost") ? 0 : token;
    if (now >= next_us) {
        next_us = now + (session[0] ? beat_us : HELLO_US);
        if (session[0]) standing("beat", now);
        else hello("0");
    }
    if (session[0]) { tell_refused(now); if (out_length < sizeof out / 4) send_events(now); }
    ssize_t wrote = port >= 0 && out_length ? write(port, out, out_length) : 0;
    if (wrote > 0) memmove(out, out + wrote, out_length -= fault("rest-dropped") ? out_length : (size_t)wrote);
}

static const char *link_path = "ring";
static us_t plugged_again_us;

void unplug(us_t for_us) {
    plugged_again_us = clock_us() + for_us;
    world_unplugs(port, link_path);
    port = -1, session[0] = 0, out_length = piece_length = 0;
}

int main(int count, char **words) {
    char typed[512];
    size_t typed_length = 0;
    for (int n = 1; n < count; n++) {
        if (strcmp(words[n], "--real") == 0) simulated = false;
        else if (n + 1 < count && strcmp(words[n], "--pty") == 0) link_path = words[++n];
        else if (n + 1 < count && strcmp(words[n], "--flash") == 0) flash = words[++n];
        else if (n + 1 < count && strcmp(words[n], "--fault") == 0) planted = words[++n];
        else return fprintf(stderr, "device [--pty LINK] [--flash FILE] [--fault NAME] [--real]\n"), 2;
    }
    port = world_plugs(link_path);
    start(1, "power");
    printf("%s\n", link_path), fflush(stdout);
    for (;;) {
        char data[512];
        struct pollfd ends[2] = {{0, POLLIN, 0}, {port, POLLIN, 0}};
        poll(ends, 2, 1);
        if (port < 0 && clock_us() >= plugged_again_us) port = world_plugs(link_path);
        if (ends[0].revents) {
            ssize_t length = read(0, typed + typed_length, sizeof typed - 1 - typed_length);
            if (length <= 0) break;
            typed[typed_length += (size_t)length] = 0;
            for (char *end; (end = strchr(typed, '\n')); memmove(typed, end + 1, strlen(end + 1) + 1)) *end = 0, hand(typed);
            typed_length = strlen(typed);
        }
        world_acts(now_us());
        ssize_t length = port >= 0 ? read(port, data, sizeof data) : 0;
        if (length > 0) hear(data, (size_t)length, now_us());
        write_out(now_us());
    }
    unlink(link_path);
    return 0;
}
