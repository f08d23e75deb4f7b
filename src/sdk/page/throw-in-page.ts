/** Lets an error of the page's own code surface as uncaught in the page, without stopping what runs now. */
export function throwInPage(error: unknown): void {
  setTimeout(() => {
    throw error
  })
}
