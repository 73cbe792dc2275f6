// What both homes run at paths that they do not know, if these have a '%23'; Hosting, which redirects by files alone, at all
// of them. Filters of mails write a link's '#' so. It is a link of ours again; all else leads to inicio.
const [, screen, fragment] = /^\/(inicio|goty)\/?%23(.+)/i.exec(window.location.pathname) ?? [];
const link = screen && `/${screen.toLowerCase()}#${fragment.replace(/%3D/i, '=')}`;
window.location.replace(link ?? '/inicio');
