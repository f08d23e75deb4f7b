import type { Operation } from './operation.ts'

export type Movement = Extract<Operation, { key: string | null }>

export interface Request {
  url: string
  method: 'POST' | 'DELETE'
  payload: object | undefined
}

const NOBODYS_TOKEN = '00000000-0000-4000-8000-000000000000'

interface Sequence {
  name: string
  tokens: readonly string[]
  addressOf: (charge: number) => string
}

/** The request by which a merchant's server asks for a movement. */
export function requestOf(operation: Movement, { name, tokens, addressOf }: Sequence): Request {
  switch (operation.do) {
    case 'sell': {
      const token = tokens[operation.token] ?? NOBODYS_TOKEN
      const payload = { amount: operation.amount, currency: 'AUD', token, reference: name }
      return { url: `/v1/charges?capture=${String(operation.capture)}`, method: 'POST', payload }
    }
    case 'cancel':
      return { url: `${addressOf(operation.charge)}/capture`, method: 'DELETE', payload: undefined }
    case 'capture':
    case 'refund': {
      const { amount } = operation
      const url = `${addressOf(operation.charge)}/${operation.do === 'capture' ? 'capture' : 'refunds'}`
      return { url, method: 'POST', payload: amount === undefined ? undefined : { amount } }
    }
  }
}
