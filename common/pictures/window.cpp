#include "common/pictures/window.h"

#ifdef WITH_WINDOW

#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

namespace {

// The exception for `what`, followed by GLFW's text of the last error.
no_window failure(const char* what) {
    const char* why = nullptr;
    glfwGetError(&why);
    return no_window(std::string(what) + (why != nullptr ? std::string(": ") + why : ""));
}

struct Library {
    Library() {
#ifdef GLFW_PLATFORM
        // GLFW 3.4 tries Wayland before X11, and without this folder Wayland's library prints a line of its own to
        // stderr.
        const char* folder = std::getenv("XDG_RUNTIME_DIR");
        if (folder == nullptr || *folder != '/') glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
#endif
        if (!glfwInit()) throw failure("no window can be opened");
    }
    ~Library() {
        glfwTerminate();
    }
};

using Handle = std::unique_ptr<GLFWwindow, decltype(&glfwDestroyWindow)>;

// Small pictures are magnified by a whole number, so that their pixels stay squares. A picture that is larger than the
// screen leaves room for the window's frame.
double magnification(std::size_t width, std::size_t height) {
    const double smallest = 256, larger = static_cast<double>(std::max(width, height));
    if (larger <= smallest / 2) return std::floor(smallest / larger);
    int x = 0, y = 0, screen_width = 0, screen_height = 0;
    if (GLFWmonitor* monitor = glfwGetPrimaryMonitor())
        glfwGetMonitorWorkarea(monitor, &x, &y, &screen_width, &screen_height);
    if (screen_width == 0 || screen_height == 0) return 1;
    const double fit = std::min(screen_width / static_cast<double>(width), screen_height / static_cast<double>(height));
    return fit < 1 ? 0.9 * fit : 1;
}

Handle open(const std::string& title, std::size_t width, std::size_t height) {
    const double scale = magnification(width, height);
    const auto length = [scale](std::size_t pixels) { return std::max(1, static_cast<int>(scale * pixels)); };
    Handle window(glfwCreateWindow(length(width), length(height), title.c_str(), nullptr, nullptr), glfwDestroyWindow);
    if (!window) throw failure("no window can be opened");
    return window;
}

}  // namespace

struct Window::System {
    System(Window& owner, const std::string& title, std::size_t picture_width, std::size_t picture_height)
        : owner(owner), width(picture_width), height(picture_height), window(open(title, width, height)) {
        glfwMakeContextCurrent(window.get());
        glfwSwapInterval(1);
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, GL_TRUE);
        glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
        glEnable(GL_TEXTURE_2D);

        glfwSetWindowUserPointer(window.get(), this);
        glfwSetWindowRefreshCallback(window.get(), [](GLFWwindow* w) { of(w).present(); });
        glfwSetFramebufferSizeCallback(window.get(), [](GLFWwindow* w, int, int) { of(w).present(); });
        glfwSetKeyCallback(window.get(), [](GLFWwindow* w, int key, int, int, int) {
            if (key == GLFW_KEY_ESCAPE) glfwSetWindowShouldClose(w, GLFW_TRUE);
        });
        glfwSetCharCallback(window.get(), [](GLFWwindow* w, unsigned character) {
            of(w).later([character](Window& o) {
                if (o.on_character) o.on_character(character);
            });
        });
        glfwSetCursorPosCallback(window.get(), [](GLFWwindow* w, double x, double y) {
            of(w).cursor_x = x;
            of(w).cursor_y = y;
            of(w).mouse_changed();
        });
        glfwSetMouseButtonCallback(window.get(), [](GLFWwindow* w, int, int, int) { of(w).mouse_changed(); });
        glfwSetScrollCallback(window.get(), [](GLFWwindow* w, double, double steps) {
            of(w).later([steps, at = of(w).read_mouse()](Window& o) {
                if (o.on_scroll) o.on_scroll(at, steps);
            });
        });
        glfwGetCursorPos(window.get(), &cursor_x, &cursor_y);
        mouse = read_mouse();
    }

    static System& of(GLFWwindow* window) { return *static_cast<System*>(glfwGetWindowUserPointer(window)); }

    // The owner's functions may throw, and no exception may pass through GLFW: call them when GLFW has returned.
    void later(std::function<void(Window&)> call) { pending.push_back(std::move(call)); }

    void call_pending() {
        for (const auto& call : std::exchange(pending, {})) call(owner);
    }

    void mouse_changed() {
        const Mouse before = std::exchange(mouse, read_mouse());
        later([before, now = mouse](Window& o) {
            if (o.on_mouse) o.on_mouse(before, now);
        });
    }

    // The picture's place in the window, in pixels of the screen. There are margins if the proportions differ.
    struct Place {
        double x, y, width, height;
    };
    Place place() const {
        int w = 0, h = 0;
        glfwGetFramebufferSize(window.get(), &w, &h);
        const double scale = std::min(w / static_cast<double>(width), h / static_cast<double>(height));
        const double shown_width = std::round(scale * width), shown_height = std::round(scale * height);
        return {std::floor((w - shown_width) / 2), std::floor((h - shown_height) / 2), shown_width, shown_height};
    }

    Mouse read_mouse() const {
        int w = 0, h = 0, screen_w = 0, screen_h = 0;
        glfwGetWindowSize(window.get(), &w, &h);
        glfwGetFramebufferSize(window.get(), &screen_w, &screen_h);
        const Place p = place();
        if (p.width == 0 || p.height == 0) return mouse;  // minimised
        const auto held = [&](int button) { return glfwGetMouseButton(window.get(), button) == GLFW_PRESS; };
        return {(cursor_x * screen_w / w - p.x) / p.width * width, (cursor_y * screen_h / h - p.y) / p.height * height,
                held(GLFW_MOUSE_BUTTON_LEFT), held(GLFW_MOUSE_BUTTON_RIGHT)};
    }

    void upload(const Bitmap& bitmap) {
        width = bitmap.width();
        height = bitmap.height();
        GLint most = 0;
        glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
        if (std::max(width, height) > static_cast<std::size_t>(most))
            throw no_window("a window shows no more than " + std::to_string(most) +
                            " pixels in a row or a column here");
        while (glGetError() != GL_NO_ERROR) {
        }
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, static_cast<GLsizei>(width), static_cast<GLsizei>(height), 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, bitmap.pixels().data());
        if (glGetError() != GL_NO_ERROR) throw no_window("OpenGL did not take the picture: is it too large?");
        drawn = true;
    }

    void present() {
        if (!drawn) return;
        const Place p = place();
        glClear(GL_COLOR_BUFFER_BIT);
        glViewport(static_cast<GLint>(p.x), static_cast<GLint>(p.y), static_cast<GLsizei>(p.width),
                   static_cast<GLsizei>(p.height));
        glBegin(GL_QUADS);  // OpenGL's y points upwards
        for (const auto& [x, y] : {std::pair{0, 0}, std::pair{1, 0}, std::pair{1, 1}, std::pair{0, 1}}) {
            glTexCoord2i(x, y);
            glVertex2i(2 * x - 1, 1 - 2 * y);
        }
        glEnd();
        glfwSwapBuffers(window.get());
    }

    Window& owner;
    Library library;
    std::size_t width, height;
    Handle window;
    GLuint texture = 0;
    bool drawn = false;
    double cursor_x = 0, cursor_y = 0;  // at the last event; glfwGetCursorPos() may be ahead of it
    Mouse mouse;
    std::vector<std::function<void(Window&)>> pending;
};

Window::Window(const std::string& title, std::size_t width, std::size_t height)
    : system_(std::make_unique<System>(*this, title, width, height)) {}

Window::~Window() = default;

void Window::draw(const Bitmap& bitmap) {
    system_->upload(bitmap);
    system_->present();
}

void Window::set_title(const std::string& title) {
    glfwSetWindowTitle(system_->window.get(), title.c_str());
}

bool Window::should_close() const {
    return glfwWindowShouldClose(system_->window.get());
}

void Window::wait() {
    glfwWaitEvents();
    system_->call_pending();
}

void Window::wait_at_most(double seconds) {
    glfwWaitEventsTimeout(seconds);
    system_->call_pending();
}

#else

// Without GLFW the constructor always throws, so that no other member is ever called.
struct Window::System {};

Window::Window(const std::string&, std::size_t, std::size_t) {
    throw no_window("this program was built without windows: it takes GLFW (Debian and Ubuntu: libglfw3-dev)");
}
Window::~Window() = default;
void Window::draw(const Bitmap&) {}
void Window::set_title(const std::string&) {}
bool Window::should_close() const {
    return true;
}
void Window::wait() {}
void Window::wait_at_most(double) {}

#endif
