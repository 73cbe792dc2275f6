/**
 * Translates the page as browsers do: from now on, each text stands in two elements that take its place. The words stay, so
 * that a test finds them. Runs in the page.
 */
export function translate() {
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      for (const node of type === 'characterData' ? [target] : addedNodes) translateIn(node);
    }
  }).observe(document.body, { characterData: true, childList: true, subtree: true });
  translateIn(document.body);

  function translateIn(root: Node) {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found: Node[] = [];
    for (let node: Node | null = texts.currentNode; node; node = texts.nextNode()) found.push(node);
    for (const text of found) if (text instanceof Text && isForeign(text)) replace(text);
  }

  /** Blanks, and what is the same in every language, are left alone. */
  function isForeign({ data, parentElement }: Text): boolean {
    const kept = parentElement?.closest('font, script, style, noscript, template, [translate]');
    return (
      parentElement !== null && data.trim() !== '' && (!kept || kept.matches('[translate="yes"]'))
    );
  }

  function replace(text: Text) {
    const outer = document.createElement('font');
    const inner = document.createElement('font');
    inner.append(text.data);
    outer.append(inner);
    text.replaceWith(outer);
  }
}
