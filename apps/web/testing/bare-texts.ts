/**
 * Watches the texts that React keeps as nodes of their own: those beside a sibling, or returned by a component. A browser's
 * translator puts other elements in the place of every text, so React finds neither the text that it changes or removes, nor
 * the one before which it puts something, and the screen is lost. Where an element has nothing but one string or number, React
 * sets its content, whatever is in there.
 *
 * @returns the function that ends it, and names the texts for which that was so
 */
export function watchBareTexts(): () => string[] {
  const found = new Set<string>();
  const observer = new MutationObserver(note);
  observer.observe(document, { characterData: true, childList: true, subtree: true });
  return () => {
    note(observer.takeRecords());
    observer.disconnect();
    return [...found];
  };

  function note(records: readonly MutationRecord[]) {
    for (const { type, target, addedNodes, removedNodes, nextSibling } of records) {
      const isText = type === 'characterData';
      const touched = isText ? [target] : [...removedNodes, addedNodes.length > 0 && nextSibling];
      const place = isText ? target.parentElement : target;
      for (const node of touched.filter(isBare)) found.add(`${nameOf(place)}${node.data}`);
    }
  }
}

/** Only such a text node is known to React. Translators leave blanks alone. */
function isBare(node: Node | false | null): node is Text {
  if (!(node instanceof Text) || node.data.trim() === '') return false;
  return Object.keys(node).some((key) => key.startsWith('__reactFiber'));
}

function nameOf(node: Node | null): string {
  return node instanceof Element ? `<${node.localName} class="${node.className}">` : '';
}
