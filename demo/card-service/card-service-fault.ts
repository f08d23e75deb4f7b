/** Why a call to the card service gave no charge: its error code, or one of the shop's own for no answer. */
export class CardServiceFault extends Error {
  override readonly name = 'CardServiceFault'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
