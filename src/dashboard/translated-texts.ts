import { options } from 'preact'

/*
 * A browser's translator puts nodes of its own in the place of a page's texts: Chrome and Edge `<font>` elements, Safari other texts.
 * Preact would go on with texts that are no longer in the page: what people read would never change again. So each replaced text
 * goes back into the page, empty, in front of its translation. Once Preact changes or removes the text, its translation is removed.
 */

/** Keeps the texts that Preact has rendered into `root` up to date where a translator replaces them. The returned function ends that. */
export function keepTranslatedTexts(root: Node): () => void {
  const texts = new TranslatedTexts()
  const observer = new MutationObserver((records) => settle(() => texts.takeForeign(records)))
  /** What is done here is no change to look at. */
  const settle = (work: () => void) => {
    work()
    observer.takeRecords()
  }
  observer.observe(root, { childList: true, characterData: true, subtree: true })
  options.debounceRendering = (render) =>
    queueMicrotask(() => {
      settle(() => texts.takeForeign(observer.takeRecords()))
      render()
      settle(() => texts.takeRendered(observer.takeRecords()))
    })
  return () => {
    observer.disconnect()
    delete options.debounceRendering
  }
}

interface Translated {
  /** What the text said. */
  original: string
  translation: readonly ChildNode[]
}

/** The texts that stand empty in front of their translations. */
class TranslatedTexts {
  readonly #translated = new WeakMap<Node, Translated>()
  /** The text that a node of a translation stands for. */
  readonly #textOf = new WeakMap<Node, Text>()
  /** Nodes that Preact has not rendered. */
  readonly #foreign = new WeakSet<Node>()

  /** Takes changes that came from elsewhere than a rendering. Among them are those by signals, which change texts at once. */
  takeForeign(records: readonly MutationRecord[]): void {
    for (const { addedNodes } of records)
      for (const node of addedNodes) if (!this.#translated.has(node)) this.#foreign.add(node)
    const untranslated = new Set<Text>()
    for (const record of records) {
      this.#dropIfChanged(record.target)
      for (const node of record.removedNodes) {
        if (node instanceof Text && node.parentNode === null && !this.#foreign.has(node))
          this.#putBack(node, record)
        const text = this.#textOf.get(node)
        if (text !== undefined) untranslated.add(text)
      }
    }
    for (const text of untranslated) this.#findTranslation(text)
  }

  /** Takes changes that Preact has made. */
  takeRendered(records: readonly MutationRecord[]): void {
    for (const { target, removedNodes } of records)
      for (const node of [target, ...removedNodes]) this.#dropIfChanged(node)
  }

  #putBack(text: Text, { target, addedNodes, previousSibling, nextSibling }: MutationRecord): void {
    const isTranslation = (node: Node): node is ChildNode =>
      node.parentNode === target && this.#isStranger(node)
    const beside = [nextSibling, previousSibling].filter((node) => node !== null)
    const candidates = addedNodes.length > 0 ? [...addedNodes] : beside.filter(isTranslation).slice(0, 1)
    const translation = candidates.filter(isTranslation)
    const [place = nextSibling] = translation
    target.insertBefore(text, place?.parentNode === target ? place : null)
    const original = this.#translated.get(text)?.original ?? text.data
    text.data = ''
    this.#remember(text, { original, translation })
  }

  /** After the translation of a text was removed: another may stand there now. Else the text is shown as it was. */
  #findTranslation(text: Text): void {
    const known = this.#translated.get(text)
    if (known === undefined || text.data !== '') return
    const translation = known.translation.filter((node) => node.isConnected)
    let next = text.nextSibling
    for (; next !== null && this.#isStranger(next); next = next.nextSibling) translation.push(next)
    this.#remember(text, { ...known, translation })
    if (translation.length > 0) return
    text.data = known.original
    this.#translated.delete(text)
  }

  /** Removes the translation of a text that says something else now, or is no longer there. */
  #dropIfChanged(node: Node): void {
    const known = this.#translated.get(node)
    if (known === undefined || (node.isConnected && node.nodeValue === '')) return
    for (const one of known.translation) one.remove()
    this.#translated.delete(node)
  }

  #remember(text: Text, known: Translated): void {
    this.#translated.set(text, known)
    for (const node of known.translation) this.#textOf.set(node, text)
  }

  /** Whether a node is neither rendered by Preact nor the translation of a text that is known. */
  #isStranger(node: Node): boolean {
    return this.#foreign.has(node) && !this.#textOf.has(node)
  }
}
