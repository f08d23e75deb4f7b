/** Does work at once, or, while a button is held down in a document, right after its release has become a click. */
export type AfterClick = (work: () => void) => void

/**
 * Pressing a button takes the focus from a field before the click is made. What leaving the field shows may move the
 * button away from under the pointer, and the click would be lost; so it waits for the click.
 */
export function createAfterClick(page: Document): AfterClick {
  let waiting: (() => void)[] | null = null
  const release = () => {
    const works = waiting ?? []
    waiting = null
    for (const work of works) work()
  }
  page.addEventListener('mousedown', () => (waiting ??= []), true)
  for (const end of ['mouseup', 'dragend']) page.addEventListener(end, () => setTimeout(release), true)
  return (work) => {
    if (waiting === null) work()
    else waiting.push(work)
  }
}
