import { element } from './elements.ts'

/** How long a button says what became of it. */
const SAID_MS = 2500

/** Puts a button at each sample that copies it, and says so, to screen readers too. */
export function addCopyButtons(page: Document): void {
  const status = element('p', { role: 'status', class: 'unseen' })
  page.body.append(status)
  for (const sample of page.querySelectorAll('pre')) {
    const button = element('button', { type: 'button', class: 'copy' }, 'Copy')
    const of = nameOf(sample)
    if (of !== '') button.setAttribute('aria-label', `Copy: ${of}`)
    const holder = element('div', { class: 'sample' })
    sample.replaceWith(holder)
    holder.append(sample, button)
    button.addEventListener('click', () => {
      void copy(sample).then((isCopied) => {
        const said = isCopied ? 'Copied' : `Press ${copyKeys(page)}`
        button.textContent = said
        status.textContent = isCopied ? 'Copied' : `The sample is selected. ${said} to copy it.`
        setTimeout(() => {
          button.textContent = 'Copy'
          status.textContent = ''
        }, SAID_MS)
      })
    })
  }
}

/** What a sample is of: its language, or where it runs, and the heading that it stands below. */
function nameOf(sample: HTMLElement): string {
  const place = sample.closest('details')?.querySelector('summary')?.textContent ?? sample.dataset['place']
  const heading = headingBefore(sample)?.textContent.replace(/ #$/, '')
  return [place, heading].filter((one) => one !== undefined).join(', ')
}

function headingBefore(start: Element): Element | undefined {
  const headings = start.ownerDocument.querySelectorAll('main :is(h1, h2, h3)')
  const isBefore = (heading: Element) =>
    (heading.compareDocumentPosition(start) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  return [...headings].findLast(isBefore)
}

/** Whether it was copied: where the clipboard is not given, the older command is asked, and as a last resort the text is left selected. */
async function copy(sample: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(sample.textContent.trimEnd())
    return true
  } catch {
    const selection = getSelection()
    selection?.selectAllChildren(sample)
    // oxlint-disable-next-line typescript/no-deprecated -- the only way without the permission
    const isCopied = document.execCommand('copy')
    if (isCopied) selection?.removeAllRanges()
    return isCopied
  }
}

/** The keys that copy on this device. */
const copyKeys = ({ defaultView }: Document): string =>
  /Mac|iPhone|iPad/.test(defaultView?.navigator.userAgent ?? '') ? '⌘C' : 'Ctrl+C'
