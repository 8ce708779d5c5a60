// Virtual calls on a known mix of classes. For every call site (named by
// its function) and class, prints "site slot callee count": the address
// of the slot in the class's vtable, the method that the slot points to,
// and how often the site called it. The methods are not inlined.
#include <cstdio>
#include <cstdlib>
#define FUNCTION __attribute__((noinline, noclone))

struct Shape {
    virtual ~Shape() {}
    FUNCTION virtual int area(int x) { return x + side; }
    FUNCTION virtual int edges(int x) { return x ^ side; }
    int side = 1;
};
struct Square : Shape {
    FUNCTION int area(int x) override { return x * side + 2; }
    FUNCTION int edges(int x) override { return x + 4; }
};
struct Circle : Shape {
    FUNCTION int area(int x) override { return 3 * x + 3; }
};
struct Triangle : Square {
    FUNCTION int area(int x) override { return x / 2 + 5; }
    FUNCTION int edges(int x) override { return x + 3; }
};
// The methods of the second base class have a vtable of their own.
struct Named {
    virtual ~Named() {}
    FUNCTION virtual int name(int x) { return x + 7; }
};
struct Label : Circle, Named {
    FUNCTION int name(int x) override { return x + 9; }
};

// The slots of area and edges come after two destructors, and so does that of name.
enum { AREA = 2, EDGES = 3, NAME = 2 };

FUNCTION int call_area(Shape *s, int x) { return s->area(x) + 1; }
FUNCTION int call_edges(Shape *s, int x) { return s->edges(x) + 1; }
FUNCTION int call_name(Named *n, int x) { return n->name(x) + 1; }
// Only one class derives from Square and overrides it: a compiler may guess the target.
FUNCTION int call_square(Square *s, int x) { return s->area(x) - 1; }
// The call target stays in a register across another call.
FUNCTION int call_both(Shape *s, Shape *t, int x) { return s->area(t->edges(x)) + 1; }

static void say(const char *site, const void *object, int slot, const char *callee, int count)
{
    void *const *table = *static_cast<void *const *const *>(object);
    if (count)
        std::printf("%s %lx %s %d\n", site, reinterpret_cast<unsigned long>(table + slot), callee, count);
}

int main()
{
    Shape shape;
    Square square;
    Circle circle;
    Triangle triangle;
    Label label;
    Shape *mix[] = {&shape, &square, &square, &circle, &triangle, &square, &label, &square};
    const char *const area[] = {"Shape::area(int)", "Square::area(int)", "Square::area(int)", "Circle::area(int)",
                                "Triangle::area(int)", "Square::area(int)", "Circle::area(int)", "Square::area(int)"};
    const char *const edges[] = {"Shape::edges(int)", "Square::edges(int)", "Square::edges(int)", "Shape::edges(int)",
                                 "Triangle::edges(int)", "Square::edges(int)", "Shape::edges(int)", "Square::edges(int)"};
    int n_area[8] = {0}, n_edges[8] = {0}, n_square[2] = {0}, n_name = 0, n_both = 0, sum = 0;
    unsigned x = 1;
    for (int i = 0; i < 1000; i++) {
        x = x * 1103515245u + 12345u;
        unsigned k = x >> 16 & 7;
        sum += call_area(mix[k], i);
        n_area[k]++;
        if (i % 3 == 0) {
            sum += call_edges(mix[7 - k], i);
            n_edges[7 - k]++;
        }
        if (k == 6) {
            sum += call_name(&label, i);
            n_name++;
        }
        if (i % 2) {
            sum += call_square(i % 10 == 1 ? &triangle : &square, i);
            n_square[i % 10 == 1]++;
        }
        if (k == 3) {
            sum += call_both(&circle, &triangle, i);
            n_both++;
        }
    }
    std::fprintf(stderr, "%d\n", sum);
    for (int k = 0; k < 8; k++) {
        say("call_area", mix[k], AREA, area[k], n_area[k]);
        say("call_edges", mix[k], EDGES, edges[k], n_edges[k]);
    }
    say("call_name", static_cast<Named *>(&label), NAME, "Label::name(int)", n_name);
    say("call_square", &square, AREA, "Square::area(int)", n_square[0]);
    say("call_square", &triangle, AREA, "Triangle::area(int)", n_square[1]);
    say("call_both", &circle, AREA, "Circle::area(int)", n_both);
    say("call_both", &triangle, EDGES, "Triangle::edges(int)", n_both);
    return 0;
}
/* SPDX-License-Identifier: MIT */
