/** The part of the window, from above, in which what one reads begins. */
const READING_SHARE = 0.3

/** Marks in the menus which part of the page one reads, and closes a folded menu once it has led somewhere. */
export function markPlace(page: Document): void {
  const links = [...page.querySelectorAll<HTMLAnchorElement>('nav a[href^="#"]')]
  const places = [...new Set(links.map(({ hash }) => hash.slice(1)))].flatMap(
    (id) => page.getElementById(id) ?? [],
  )

  function mark(): void {
    const line = innerHeight * READING_SHARE
    const isAtEnd = scrollY + innerHeight >= page.documentElement.scrollHeight - 2
    const passed = places.filter((place) => place.getBoundingClientRect().top <= line)
    const current = isAtEnd && location.hash !== '' ? atHash() : passed.at(-1)
    for (const link of links) {
      if (current !== undefined && link.hash.slice(1) === current.id)
        link.setAttribute('aria-current', 'location')
      else link.removeAttribute('aria-current')
    }
  }
  const atHash = () =>
    places.find(({ id }) => `#${id}` === decodeURIComponent(location.hash)) ?? places.at(-1)

  let isDue = false
  addEventListener(
    'scroll',
    () => {
      if (isDue) return
      isDue = true
      requestAnimationFrame(() => {
        isDue = false
        mark()
      })
    },
    { passive: true },
  )
  mark()
  showCurrent(page)
  closeFolded(page)
}

/** Scrolls the menu, and nothing else, to the page that is shown. */
function showCurrent(page: Document): void {
  const menu = page.querySelector('.side')
  const current = menu?.querySelector('[aria-current=page]')
  if (menu && current)
    menu.scrollTop = current.getBoundingClientRect().top - menu.getBoundingClientRect().top - 80
}

function closeFolded(page: Document): void {
  const folded = page.querySelector<HTMLDetailsElement>('.folded')
  if (folded === null) return
  const close = () => (folded.open = false)
  folded.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a')) close()
  })
  page.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !folded.contains(target)) close()
  })
  folded.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !folded.open) return
    close()
    folded.querySelector('summary')?.focus()
  })
}
