/* Between the device (device.c) and what it is made of (world.c). Times are microseconds since the start. */
#include <stdbool.h>
#include <stdint.h>

typedef int64_t us_t;
typedef enum { WHITE, DARK, BLACK } Look;
enum { SUM = 8 };

/* What the device hears of its gate, in the order of the times. */
void edge(int beam, bool on, us_t at); /* beam 0 is A, 1 is B; on: blocked */
void frame(us_t middle, const int counts[4]);
void gate(us_t at, bool open);
void lift(us_t at, bool up);
void jolt(us_t at);
void look_for_stuck(us_t now);
void start(int version, const char *why); /* anew, as after its power came back */
void unplug(us_t for_us);
bool is_lifted(void);
us_t now_us(void);
us_t whole(const char *text);

/* What it asks of the world. */
extern bool simulated;
bool world_sees(void);                        /* the colour sensor answers */
void world_looks(int counts[4], Look what);   /* the sum of SUM frames */
void world_starts(void);
void world_arms(void);                        /* with another token: what was announced lies below */
const char *world_lays(us_t number, const char *stations);
void world_forgets(void);                     /* what was announced */
bool world_slides(us_t now);
void world_acts(us_t now);
void hand(char *words);
int world_plugs(const char *link); /* the port, which reads and writes without waiting */
void world_unplugs(int port, const char *link);
