/** A merchant's own record of the payments that it asked for and what it was told; each has a reference of its own. */
export interface PaymentJournal {
  /** Written before anything is sent. */
  asked: ReadonlySet<string>
  acknowledged: ReadonlySet<string>
  /** Payments that were refused for good. */
  refused: ReadonlySet<string>
  ask: (reference: string) => void
  acknowledge: (reference: string) => void
  refuse: (reference: string) => void
}

export function createPaymentJournal(): PaymentJournal {
  const asked = new Set<string>()
  const acknowledged = new Set<string>()
  const refused = new Set<string>()
  return {
    asked,
    acknowledged,
    refused,
    ask: (reference) => void asked.add(reference),
    acknowledge: (reference) => void acknowledged.add(reference),
    refuse: (reference) => void refused.add(reference),
  }
}
