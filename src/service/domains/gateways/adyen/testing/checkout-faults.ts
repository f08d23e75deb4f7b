import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { operations, refusal, REFUSAL_STATUSES } from './checkout-schemas.ts'

const ajv = new Ajv2020({ allErrors: true, formats: { byte: /^[A-Za-z0-9+/]+={0,2}$/ } })
const isRefusal = ajv.compile(refusal)
const known = operations.map(({ path, status, request, answer }) => ({
  path,
  status,
  isRequest: ajv.compile(request),
  isAnswer: ajv.compile(answer),
}))

const NO_OPERATION = ['there is no such operation']

/** Why Adyen would not understand a request to a path below the version, such as `/payments`; empty when it would. */
export function faultsOfRequest(path: string, body: unknown): string[] {
  const operation = operationOf(path)
  return operation === undefined ? NO_OPERATION : faultsBy(operation.isRequest, body)
}

/** Why Adyen would not answer such a request like this; empty when it may. */
export function faultsOfAnswer(path: string, { status, body }: { status: number; body: unknown }): string[] {
  if (REFUSAL_STATUSES.includes(status)) return faultsBy(isRefusal, body)
  const operation = operationOf(path)
  if (operation === undefined) return NO_OPERATION
  return status === operation.status
    ? faultsBy(operation.isAnswer, body)
    : [`the status ${status} is not ${operation.status}`]
}

const operationOf = (path: string) => known.find((operation) => operation.path.test(path))

/** Never shows a value: it may be a card number. */
function faultsBy(isValid: ValidateFunction, body: unknown): string[] {
  if (isValid(body)) return []
  return (isValid.errors ?? []).map(({ instancePath, message = '', params }) =>
    [instancePath, message, JSON.stringify(params)].join(' ').trim(),
  )
}
