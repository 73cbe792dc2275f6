#!/usr/bin/python3
"""A window of WebKitGTK for WebKitWebDriver: that of its MiniBrowser is at least 447 px wide.

The page asks it for what WebDriver has no command for, by the message handler 'window'.
"""

import base64
import json
import os
import tempfile

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("JavaScriptCore", "4.1")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, JavaScriptCore, WebKit2

# Not the event 'error' of elements: WebKit also fires it for each <link> that is no style sheet.
COLLECT_ERRORS = """
const report = (text) => webkit.messageHandlers.window.postMessage(['error', String(text)]);
console.error = (...words) => report(words.join(' '));
addEventListener('error', ({ message }) => report(message));
addEventListener('unhandledrejection', ({ reason }) => report(reason));
document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
  report(`${effectiveDirective} ${blockedURI}`));
"""

errors = []


def do(_, message, reply):
    """Does what the page asks for, and replies with a string."""
    respond = lambda text: reply.return_value(
        JavaScriptCore.Value.new_string(message.get_context(), text)
    )
    task, *words = json.loads(message.to_json(0))
    if task == "print":
        print_page(respond)
        return True
    if task == "error":
        errors.extend(words)
    if task == "look":
        settings = Gtk.Settings.get_default()
        settings.set_property("gtk-application-prefer-dark-theme", "dark" in words)
        settings.set_property("gtk-enable-animations", "still" not in words)
    respond(json.dumps(errors))
    if task == "errors":
        errors.clear()
    return True


def print_page(respond):
    """Prints into a file, and responds with what is in it, in Base64."""
    path = tempfile.mktemp(".pdf")
    settings = Gtk.PrintSettings()
    settings.set_printer("Print to File")
    settings.set("output-file-format", "pdf")
    settings.set("output-uri", f"file://{path}")

    def read(_):
        with open(path, "rb") as file:
            respond(base64.b64encode(file.read()).decode())
        os.remove(path)

    operation = WebKit2.PrintOperation.new(view)
    operation.set_print_settings(settings)
    operation.connect("finished", read)
    operation.print_()


def start_session(_, session):
    info = WebKit2.ApplicationInfo()
    # As the capability 'browserName'.
    info.set_name("goty")
    session.set_application_info(info)
    session.connect("create-web-view", lambda *_: view)


content = WebKit2.UserContentManager()
content.add_script(
    WebKit2.UserScript.new(
        COLLECT_ERRORS,
        WebKit2.UserContentInjectedFrames.TOP_FRAME,
        WebKit2.UserScriptInjectionTime.START,
        None,
        None,
    )
)
content.register_script_message_handler_with_reply("window", None)
content.connect("script-message-with-reply-received::window", do)
context = WebKit2.WebContext.new_ephemeral()
context.set_automation_allowed(True)
context.connect("automation-started", start_session)
view = WebKit2.WebView(
    web_context=context, is_controlled_by_automation=True, user_content_manager=content
)
window = Gtk.Window()
window.add(view)
window.show_all()
Gtk.main()
