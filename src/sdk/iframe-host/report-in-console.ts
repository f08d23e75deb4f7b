/** One line for the merchant's developer on a fault that nobody in the page listens to. */
export function reportInConsole({ code, message }: { code: string; message: string }): void {
  // oxlint-disable-next-line no-console -- documented: a fault without a listener is reported there
  console.error(`[svc] ${message} (${code})`)
}
