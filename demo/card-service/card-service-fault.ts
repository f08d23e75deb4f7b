/** A failed call to the card service: its error code, or one of the shop's own if there was no answer. */
export class CardServiceFault extends Error {
  override readonly name = 'CardServiceFault'
  readonly code: string
  /** What a person reads, where the code means something else than for a charge. */
  readonly words: string | undefined

  constructor(code: string, message: string, words?: string) {
    super(message)
    this.code = code
    this.words = words
  }
}
