/** The container of the form. Throws a TypeError if the page has none. */
export function elementOf(container: string | Element): Element {
  return found(container) ?? refuse('element', container)
}

/** Where the elements of a page are looked for: in the shadow tree around the container, if it stands in one, and in the document. */
export function rootsAround(container: string | Element): readonly ParentNode[] {
  const root = isElement(container) ? container.getRootNode() : document
  return root instanceof ShadowRoot ? [root, document] : [document]
}

/** A form of the page or of the shadow tree around the container. Throws a TypeError if there is none. */
export function formOf(form: string | HTMLFormElement, container: string | Element): HTMLFormElement {
  const element = found(form, rootsAround(container))
  return element instanceof HTMLFormElement ? element : refuse('form', form)
}

/** What an element stands in; the host of a shadow tree stands around it. */
export function parentOf({ parentNode }: Element): Element | null {
  const parent = parentNode instanceof ShadowRoot ? parentNode.host : parentNode
  return parent instanceof Element ? parent : null
}

/** The element of the page that is given or that matches; null if there is none. */
export function found(given: unknown, roots: readonly ParentNode[] = [document]): Element | null {
  if (typeof given !== 'string') return isElement(given) ? given : null
  return roots.map((root) => root.querySelector(given)).find((element) => element !== null) ?? null
}

/** Also one that was made in another window and moved here, which is of that window's class. */
function isElement(given: unknown): given is Element {
  return given instanceof Element || ownerOf(given) === document
}

/** The document of an element of any window; undefined for all else. */
function ownerOf(given: unknown): unknown {
  const isObject = typeof given === 'object' && given !== null
  return isObject && 'tagName' in given && 'ownerDocument' in given ? given.ownerDocument : undefined
}

function refuse(what: string, given: unknown): never {
  const owner = ownerOf(given)
  if (owner !== undefined && owner !== document)
    throw new TypeError(`That ${what} is in another window. Run the SDK there.`)
  const name = typeof given === 'string' ? `'${given}'` : String(given)
  throw new TypeError(`No ${what} matches ${name}. Check the selector, or run this after the ${what}.`)
}
