/* What is not there: light, cubes and a hand. A ring that somebody builds has pins and a sensor here. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "device.h"

enum { MOST_PLANS = 4096, FRAME_US = 4800, BETWEEN_US = 60000 };

typedef struct { const char *name; double looks[4]; } Paint;

static const Paint PAINTS[] = {
    {"red", {.298, .070, .082, .138}}, {"orange", {.497, .229, .136, .287}}, {"yellow", {.718, .540, .256, .516}},
    {"green", {.140, .256, .134, .185}}, {"blue", {.045, .082, .216, .108}}, {"purple", {.086, .066, .111, .083}},
    {"white", {.888, .887, .886, .887}}, {"black", {.033, .034, .034, .034}}, {"wood", {.504, .382, .312, .400}}};
enum { PAINT_COUNT = 9, WHITE_PAINT = 6, NO_PAINT = -1 };
static const double LAMP[4] = {.336, .374, .303, 1};
static double ambient, drift = 1, glare;
bool simulated = true;
static bool there = true, seeing = true; /* the sensor; its frames */
static int under[PAINT_COUNT], coming[PAINT_COUNT];

static int paint_named(const char *name) {
    for (int n = 0; n < PAINT_COUNT; n++)
        if (strcmp(PAINTS[n].name, name) == 0) return n;
    return NO_PAINT;
}

static void look_at(int counts[4], const double looks[4], bool lamp, int times) {
    for (int c = 0; c < 4; c++) {
        double light = (lamp ? 400 * drift * LAMP[c] * looks[c] : 0) + 400 * ambient * (c == 3 ? 1 : .34);
        counts[c] = 0;
        for (int n = 0; n < times; n++) counts[c] += (int)(light + 400 * glare + (double)rand() / RAND_MAX);
    }
}

typedef enum { AN_EDGE, A_FRAME, GATE, LIFT, JOLT, WEATHER, SENSOR } Deed;
typedef struct { us_t at; Deed deed; int what; bool on; double ambient, drift, glare; } Plan;

static Plan plans[MOST_PLANS];
static int plan_count;
static us_t free_us; /* when the hand has done all that it was told */

static Plan *plan(us_t at, Deed deed, int what, bool on) {
    int n = plan_count++;
    for (; n > 0 && plans[n - 1].at > at; n--) plans[n] = plans[n - 1];
    plans[n] = (Plan){at, deed, what, on, 0, 1, 0};
    if (at > free_us) free_us = at;
    return &plans[n];
}

static void plan_frames(us_t from, us_t to, int paint) {
    us_t each = (to - from) / FRAME_US > 1000 ? FRAME_US * 16 : FRAME_US;
    for (us_t at = from + each / 2; at < to; at += each) plan(at, A_FRAME, paint, true);
}

/* When a cube's front has come so far, in micrometres, at a hand's speed that grows by a fifth on the way. */
static us_t reached(double um, double mm_s) { return (us_t)(um * 1000 / (mm_s * (1 + um / 120000))); }

static us_t plan_cube(us_t at, int paint, double mm_s, double edges_long) {
    double edge_um = 8000 * edges_long, gap = 4000;
    us_t a_off = at + reached(edge_um, mm_s), b_off = at + reached(edge_um + gap, mm_s);
    plan(at, AN_EDGE, 0, true);
    plan(at + reached(gap, mm_s), AN_EDGE, 1, true);
    plan(a_off, AN_EDGE, 0, false);
    plan(b_off, AN_EDGE, 1, false);
    plan_frames(at, b_off, paint);
    return b_off;
}

/* The next cube comes to A while this one is still at B, rests there for three seconds and goes back. */
static us_t plan_next(us_t at, double mm_s) {
    us_t a_off = at + reached(8000, mm_s), b_off = at + reached(12000, mm_s), goes = b_off + 3000000;
    plan((a_off + b_off) / 2, AN_EDGE, 0, true);
    plan(goes, AN_EDGE, 0, false);
    return goes;
}

static us_t plan_touch(us_t at, const char *what, int paint) {
    bool back = strcmp(what, "back") == 0, stuck = strcmp(what, "stuck") == 0;
    us_t rests = stuck ? 3000000 : 30000, out_at = at + 50000 + rests;
    if (strcmp(what, "poke") == 0 || strcmp(what, "glitch") == 0) {
        us_t off = at + (*what == 'p' ? 20000 : 300);
        plan(at, AN_EDGE, 0, true), plan(off, AN_EDGE, 0, false);
        return off;
    }
    plan(at, AN_EDGE, 0, true);
    plan(at + 50000, AN_EDGE, 1, true);
    plan(out_at, AN_EDGE, back ? 1 : 0, false);
    plan(out_at + 50000, AN_EDGE, back ? 0 : 1, false);
    plan_frames(at, out_at + 50000, paint);
    return out_at + 50000;
}

/* Open the gate, let happen what is wanted, close it. */
static bool plan_slide(us_t now, int paint, double mm_s, const char *what) {
    bool pair = strcmp(what, "pair") == 0, two = pair || strcmp(what, "surplus") == 0;
    us_t at = (now > free_us ? now : free_us) + BETWEEN_US;
    bool touch = strcmp(what, "back") == 0 || strcmp(what, "poke") == 0 || strcmp(what, "glitch") == 0 || strcmp(what, "stuck") == 0;
    bool lifts = strcmp(what, "lift") == 0, shakes = strcmp(what, "shake_open") == 0;
    if (paint == NO_PAINT && (lifts || shakes || touch)) paint = 0;
    if (paint == NO_PAINT) {
        int all = 0, pick;
        for (int n = 0; n < PAINT_COUNT; n++) all += under[n];
        if (!all) return false;
        for (pick = rand() % all, paint = 0; pick >= under[paint]; pick -= under[paint++]) {}
        under[paint]--;
    }
    bool room = strcmp(what, "ambient_light") == 0, dust = strcmp(what, "dirty_window") == 0;
    bool clean = strcmp(what, "clean_window") == 0, sun = strcmp(what, "saturated") == 0;
    if (room || dust || clean || sun) { /* the sun shines in only once the gate is open */
        Plan *sky = plan(at + 2 * sun, WEATHER, 0, true);
        sky->ambient = room ? .8 : 0, sky->drift = dust ? .6 : clean ? 1.5 : 1, sky->glare = sun ? 5 : 0;
    }
    if (strcmp(what, "sensor_missing") == 0) plan(at, SENSOR, 1, false);
    plan(at + 1, GATE, 0, true);
    at += BETWEEN_US;
    if (lifts) {
        plan(at, LIFT, 0, true), plan(at + 100000, LIFT, 0, false);
        at += 100000 + BETWEEN_US;
    }
    if (shakes) {
        for (int n = 0; n < 4; n++) plan(at += 120000, JOLT, 0, true);
    } else if (touch) {
        at = plan_touch(at, what, paint);
    } else if (!lifts) {
        us_t from = at;
        at = plan_cube(at, paint, mm_s, pair ? 2 : 1);
        if (strcmp(what, "waiting") == 0) at = plan_next(from, mm_s);
        if (two && !pair) at = plan_cube(at + BETWEEN_US, paint, mm_s, 1);
    }
    plan(at += BETWEEN_US, GATE, 0, false);
    plan(at + 1, WEATHER, 0, true), plan(at + 1, SENSOR, 1, true);
    return true;
}

static void do_planned(const Plan *p) {
    int counts[4];
    switch (p->deed) {
    case AN_EDGE: edge(p->what, p->on, p->at); break;
    case A_FRAME: look_at(counts, PAINTS[p->what].looks, true, 1); if (world_sees()) frame(p->at, counts); break;
    case GATE: gate(p->at, p->on); break;
    case LIFT: lift(p->at, p->on); break;
    case JOLT: jolt(p->at); break;
    case WEATHER: ambient = p->ambient, drift = p->drift, glare = p->glare; break;
    case SENSOR: seeing = p->on; break;
    }
}

/* ---- What the device asks for */

bool world_sees(void) { return there && seeing; }
bool world_slides(us_t now) { return plan_slide(now, NO_PAINT, 80, ""); }
void world_arms(void) { memcpy(under, coming, sizeof under); }
void world_forgets(void) { memset(coming, 0, sizeof coming); }

void world_looks(int counts[4], Look what) {
    static const double looks[][4] = {{.888, .887, .886, .887}, {0, 0, 0, 0}, {.034, .034, .034, .034}};
    look_at(counts, looks[what], what != DARK, SUM);
}

void world_starts(void) {
    plan_count = 0, free_us = 0;
    memset(under, 0, sizeof under);
    world_forgets();
}

const char *world_lays(us_t number, const char *stations) {
    char text[128];
    int more[PAINT_COUNT] = {0};
    if (number < 0 || !stations) return "malformed";
    snprintf(text, sizeof text, "%s", stations);
    char *rest = text;
    for (char *part; (part = strsep(&rest, ","));) {
        char *colon = strchr(part, ':');
        if (!colon || colon == part || whole(colon + 1) < 0) return "malformed";
        *colon = 0;
        if (paint_named(part) == NO_PAINT) return "colour";
        more[paint_named(part)] += (int)whole(colon + 1);
    }
    if (number == 0) world_forgets();
    for (int n = 0; n < PAINT_COUNT; n++) coming[n] += more[n];
    return "";
}

void world_acts(us_t now) {
    int done = 0;
    for (; done < plan_count && plans[done].at <= now; done++) {
        look_for_stuck(plans[done].at);
        do_planned(&plans[done]);
    }
    memmove(plans, plans + done, sizeof *plans * (size_t)(plan_count - done));
    plan_count -= done;
    look_for_stuck(now);
}

/* ---- The wire: a pseudo-terminal with a name */

static int far_end = -1;

int world_plugs(const char *link) {
    struct termios raw;
    int port = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (port < 0 || grantpt(port) || unlockpt(port)) exit(2);
    far_end = open(ptsname(port), O_RDWR | O_NOCTTY); /* held open, so that a host that leaves ends nothing */
    tcgetattr(far_end, &raw);
    cfmakeraw(&raw);
    tcsetattr(far_end, TCSANOW, &raw);
    unlink(link);
    if (symlink(ptsname(port), link)) exit(2);
    return port;
}

void world_unplugs(int port, const char *link) {
    unlink(link);
    close(port), close(far_end);
}

/* ---- The hand: a line of words for each deed */

void hand(char *line) {
    char *what = strsep(&line, " "), *one = line ? strsep(&line, " ") : "", *two = line ? strsep(&line, " ") : "";
    us_t now = now_us(), at = (now > free_us ? now : free_us) + 1000;
    if (strcmp(what, "slide") == 0) plan_slide(now, paint_named(one), atof(two) > 0 ? atof(two) : 80, line ? line : "");
    else if (strcmp(what, "open") == 0 || strcmp(what, "close") == 0) plan(at, GATE, 0, *what == 'o');
    else if (strcmp(what, "lift") == 0 || strcmp(what, "set-down") == 0) plan(at, LIFT, 0, *what == 'l');
    else if (strcmp(what, "jolt") == 0) plan(at, JOLT, 0, true);
    else if (strcmp(what, "load") == 0 && paint_named(one) != NO_PAINT) under[paint_named(one)] += atoi(two);
    else if (strcmp(what, "sensor") == 0) there = strcmp(one, "back") == 0;
    else if (strcmp(what, "unplug") == 0) unplug(atoll(one) * 1000);
    else if (strcmp(what, "start") == 0) start(*one ? atoi(one) : 1, *two ? two : "reset");
    else if (strcmp(what, "fill") == 0)
        for (int n = 0; n < 270; n++) lift(now, !is_lifted());
}
