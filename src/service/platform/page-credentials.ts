/** What the page of a checkout sends to say whose it is. */
export interface PageCredentials {
  /** The intent's token; null when there is none. */
  token: string | null
  /** The intent that the page's document is of; undefined where it names none. */
  documentOf: string | undefined
}
