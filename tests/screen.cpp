#include "screen.h"

#ifdef WITH_SCREEN

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XTest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <future>
#include <stdexcept>
#include <thread>

namespace {

using namespace std::chrono_literals;

constexpr auto patience = 60s;  // a frame takes long on a busy machine under a sanitizer

}  // namespace

struct VirtualScreen::System {
    System() {
        int ends[2];
        if (pipe(ends) != 0) throw std::runtime_error("no pipe");
        server = fork();
        if (server == 0) {
            prctl(PR_SET_PDEATHSIG, SIGTERM);  // it does not outlive a test that crashes
            close(ends[0]);
            const std::string number = std::to_string(ends[1]);
            if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(126);
            execlp("Xvfb", "Xvfb", "-displayfd", number.c_str(), "-screen", "0", "1280x1024x24", "-nolisten", "tcp",
                   nullptr);
            _exit(127);
        }
        close(ends[1]);
        for (char c; read(ends[0], &c, 1) == 1 && c != '\n';) name += c;
        close(ends[0]);
        XSetErrorHandler([](::Display*, XErrorEvent*) { return 0; });  // a window that is gone: the caller sees that
        display = XOpenDisplay(name.c_str());
        if (display == nullptr) throw std::runtime_error("Xvfb did not start");
    }

    ~System() {
        if (display != nullptr) XCloseDisplay(display);
        kill(server, SIGTERM);  // which ends the program too
        waitpid(server, nullptr, 0);
    }

    // The first window that is shown.
    ::Window find() const {
        ::Window root = 0, parent = 0, found = 0, *children = nullptr;
        unsigned n = 0;
        if (!XQueryTree(display, DefaultRootWindow(display), &root, &parent, &children, &n)) return 0;
        for (unsigned i = 0; i < n && found == 0; ++i) {
            XWindowAttributes attributes{};
            if (XGetWindowAttributes(display, children[i], &attributes) && attributes.map_state == IsViewable)
                found = children[i];
        }
        if (children != nullptr) XFree(children);
        return found;
    }

    Atom atom(const char* text) const { return XInternAtom(display, text, False); }

    std::string name = ":";
    pid_t server = 0;
    ::Display* display = nullptr;
    ::Window window = 0;
    std::future<Outcome> program;
};

std::unique_ptr<VirtualScreen> VirtualScreen::open() {
    if (run("sh -c 'command -v Xvfb'").exit_code != 0) {
        WARN("skipped: there is no Xvfb here (Debian and Ubuntu: apt-get install xvfb)");
        return nullptr;
    }
    return std::unique_ptr<VirtualScreen>(new VirtualScreen);
}

void VirtualScreen::start(const std::string& command) {
    // OpenGL's drivers keep some memory to the end, and AddressSanitizer cannot tell whose it was.
    system_->program =
        std::async(std::launch::async, run,
                   "env DISPLAY=" + system_->name + " ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 " + command);
}

void VirtualScreen::wait_for_window() {
    const bool shown = wait_until([&] {
        if (system_->program.wait_for(0s) == std::future_status::ready) return true;
        return (system_->window = system_->find()) != 0;
    });
    if (system_->window == 0 && shown) {
        const Outcome outcome = finish();
        throw std::runtime_error("the program ended without a window: " + outcome.out + outcome.err);
    }
    if (!shown) throw std::runtime_error("the program opened no window");
}

Bitmap VirtualScreen::picture() const {
    XWindowAttributes a{};
    XImage* image = nullptr;
    if (XGetWindowAttributes(system_->display, system_->window, &a))
        image = XGetImage(system_->display, system_->window, 0, 0, a.width, a.height, AllPlanes, ZPixmap);
    if (image == nullptr) throw std::runtime_error("the window is not on the screen");
    Bitmap bitmap(a.width, a.height);
    for (int y = 0; y < a.height; ++y)
        for (int x = 0; x < a.width; ++x) {
            const unsigned long p = XGetPixel(image, x, y);
            bitmap.at(x, y) = {static_cast<std::uint8_t>(p >> 16), static_cast<std::uint8_t>(p >> 8),
                               static_cast<std::uint8_t>(p), 255};
        }
    XDestroyImage(image);
    return bitmap;
}

bool VirtualScreen::wait_until(const std::function<bool()>& question) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!question()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(10ms);
    }
    return true;
}

std::string VirtualScreen::title() const {
    Atom type = 0;
    int format = 0;
    unsigned long length = 0, rest = 0;
    unsigned char* text = nullptr;
    XGetWindowProperty(system_->display, system_->window, system_->atom("_NET_WM_NAME"), 0, 1000, False,
                       system_->atom("UTF8_STRING"), &type, &format, &length, &rest, &text);
    const std::string title(reinterpret_cast<char*>(text), text != nullptr ? length : 0);
    if (text != nullptr) XFree(text);
    return title;
}

void VirtualScreen::move_mouse(int x, int y) const {
    ::Window child = 0;
    int left = 0, top = 0;
    XTranslateCoordinates(system_->display, system_->window, DefaultRootWindow(system_->display), 0, 0, &left, &top,
                          &child);
    XTestFakeMotionEvent(system_->display, 0, left + x, top + y, CurrentTime);
    XSync(system_->display, False);
}

void VirtualScreen::press(int button) const {
    XTestFakeButtonEvent(system_->display, button, True, CurrentTime);
    XSync(system_->display, False);
}

void VirtualScreen::release(int button) const {
    XTestFakeButtonEvent(system_->display, button, False, CurrentTime);
    XSync(system_->display, False);
}

void VirtualScreen::type(const std::string& key) const {
    // Nobody else gives a window the keyboard where there is no window manager.
    XSetInputFocus(system_->display, system_->window, RevertToParent, CurrentTime);
    const KeyCode code = XKeysymToKeycode(system_->display, XStringToKeysym(key.c_str()));
    XTestFakeKeyEvent(system_->display, code, True, CurrentTime);
    XTestFakeKeyEvent(system_->display, code, False, CurrentTime);
    XSync(system_->display, False);
}

void VirtualScreen::close_window() const {
    XEvent event{};
    event.xclient.type = ClientMessage;
    event.xclient.window = system_->window;
    event.xclient.message_type = system_->atom("WM_PROTOCOLS");
    event.xclient.format = 32;
    event.xclient.data.l[0] = static_cast<long>(system_->atom("WM_DELETE_WINDOW"));
    XSendEvent(system_->display, system_->window, False, NoEventMask, &event);
    XSync(system_->display, False);
}

Outcome VirtualScreen::finish() {
    if (system_->program.wait_for(patience) != std::future_status::ready)
        throw std::runtime_error("the program did not end");
    return system_->program.get();
}

#else

struct VirtualScreen::System {};

std::unique_ptr<VirtualScreen> VirtualScreen::open() {
    WARN("skipped: built without windows (Debian and Ubuntu: apt-get install libglfw3-dev libxtst-dev)");
    return nullptr;
}

// Without open() there is no VirtualScreen, so that none of these is ever called.
void VirtualScreen::start(const std::string&) {}
void VirtualScreen::wait_for_window() {}
Bitmap VirtualScreen::picture() const {
    return {1, 1};
}
bool VirtualScreen::wait_until(const std::function<bool()>&) {
    return false;
}
std::string VirtualScreen::title() const {
    return "";
}
void VirtualScreen::move_mouse(int, int) const {}
void VirtualScreen::press(int) const {}
void VirtualScreen::release(int) const {}
void VirtualScreen::type(const std::string&) const {}
void VirtualScreen::close_window() const {}
Outcome VirtualScreen::finish() {
    return {};
}

#endif

VirtualScreen::VirtualScreen() : system_(std::make_unique<System>()) {}

VirtualScreen::~VirtualScreen() = default;
