import { isDeepStrictEqual } from 'node:util'
import { isJson } from '../../api/openapi/json-schema.ts'
import type { Json } from '../../api/openapi/json-schema.ts'
import { narrowerThan } from './narrower-than.ts'

const childOf = (value: unknown, ...names: readonly string[]): Json =>
  names.reduce<Json>((inner, name) => (isJson(inner[name]) ? inner[name] : {}), isJson(value) ? value : {})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/**
 * What a caller that was written for the document `before` would meet under `after`: each change that can break it, in words, with its
 * place. A change counts unless it is surely harmless. Changes of descriptions, examples and the service's address never count.
 */
export function breakingChanges(before: Json, after: Json): string[] {
  const operations = operationsOf(before).flatMap(([place, was]) => {
    const is = operationsOf(after).find(([same]) => same === place)?.[1]
    return is === undefined ? [`${place} is gone`] : changesOfOperation(place, { before, was, after, is })
  })
  const messages = Object.entries(childOf(before, 'webhooks')).flatMap(([type, was]) => {
    const is = childOf(after, 'webhooks')[type]
    if (is === undefined) return [`The event ${type} is gone`]
    const bodyOf = (item: unknown) => schemaOf(childOf(item, 'post', 'requestBody'))
    return narrowerThan(
      { document: before, schema: bodyOf(was) },
      { document: after, schema: bodyOf(is) },
      'answer',
    ).map((fault) => `The event ${type}: ${fault}`)
  })
  return [...operations, ...messages, ...changesOfKeys(before, after)]
}

function operationsOf(document: Json): [string, Json][] {
  return Object.entries(childOf(document, 'paths')).flatMap(([path, item]) =>
    Object.entries(childOf(item)).map(([method, operation]): [string, Json] => [
      `${method.toUpperCase()} ${path}`,
      childOf(operation),
    ]),
  )
}

interface Compared {
  before: Json
  was: Json
  after: Json
  is: Json
}

function changesOfOperation(place: string, compared: Compared): string[] {
  const { was, is } = compared
  return [
    ...(was['operationId'] === is['operationId']
      ? []
      : ['has another operationId, by which clients call it']),
    ...(areKeysEnough(was, is) ? [] : ['asks for another key, or for more']),
    ...changesOfParameters(compared),
    ...changesOfBody(compared),
    ...changesOfAnswers(compared),
  ].map((change) => `${place}: ${change}`)
}

/** Whether each way to authenticate is one still: by the same keys, and by no further scopes. */
function areKeysEnough(was: Json, is: Json): boolean {
  const waysOf = ({ security }: Json) =>
    listOf(security).length === 0 ? [{}] : listOf(security).filter(isJson)
  const takes = (way: Json, given: Json) =>
    Object.entries(way).every(
      ([key, scopes]) => key in given && listOf(scopes).every((scope) => listOf(given[key]).includes(scope)),
    )
  return waysOf(was).every((given) => waysOf(is).some((way) => takes(way, given)))
}

function changesOfParameters({ before, was, after, is }: Compared): string[] {
  const parametersOf = (operation: Json) =>
    new Map(listOf(operation['parameters']).map((one) => [nameOf(childOf(one)), childOf(one)]))
  const [known, taken] = [parametersOf(was), parametersOf(is)]
  const changed = [...known].flatMap(([name, parameter]) => {
    const now = taken.get(name)
    if (now === undefined) return [`${name} is gone`]
    const isNewlyNeeded = now['required'] === true && parameter['required'] !== true
    const narrower = narrowerThan(
      { document: before, schema: parameter['schema'] },
      { document: after, schema: now['schema'] },
      'request',
    )
    return [...(isNewlyNeeded ? ['it is required now'] : []), ...narrower].map((fault) => `${name}: ${fault}`)
  })
  const added = [...taken].filter(([name, { required }]) => required === true && !known.has(name))
  return [...changed, ...added.map(([name]) => `${name} is new and required`)]
}

const nameOf = (parameter: Json): string =>
  `${String(parameter['in'])} parameter ${String(parameter['name'])}`

function changesOfBody({ before, was, after, is }: Compared): string[] {
  const [known, taken] = [childOf(was, 'requestBody'), childOf(is, 'requestBody')]
  const isNewlyNeeded = taken['required'] === true && known['required'] !== true
  const narrower = Object.keys(childOf(known, 'content')).flatMap((media) => {
    if (!(media in childOf(taken, 'content'))) return [`a body as ${media} is not taken any more`]
    return narrowerThan(
      { document: before, schema: schemaOf(known, media) },
      { document: after, schema: schemaOf(taken, media) },
      'request',
    ).map((fault) => `body: ${fault}`)
  })
  return [...(isNewlyNeeded ? ['its body is required now'] : []), ...narrower]
}

const schemaOf = (holder: unknown, media = 'application/json'): unknown =>
  childOf(holder, 'content', media)['schema']

/** Callers know every good status; an error may come by another status, or be new, as they know none but by its code. */
function changesOfAnswers({ before, was, after, is }: Compared): string[] {
  const [known, given] = [childOf(was, 'responses'), childOf(is, 'responses')]
  const isGood = (status: string) => status < '300'
  const added = Object.keys(given).filter((status) => isGood(status) && !(status in known))
  const changed = Object.entries(known).flatMap(([status, answer]) => {
    if (!(status in given)) return isGood(status) ? [`the answer ${status} is gone`] : []
    const now = given[status]
    const headers = Object.keys(childOf(answer, 'headers')).filter(
      (name) => !(name in childOf(now, 'headers')),
    )
    const media = Object.keys(childOf(answer, 'content')).flatMap((type) => {
      if (!(type in childOf(now, 'content'))) return [`is not ${type} any more`]
      return narrowerThan(
        { document: before, schema: schemaOf(answer, type) },
        { document: after, schema: schemaOf(now, type) },
        'answer',
      )
    })
    return [...headers.map((name) => `the header ${name} is gone`), ...media].map(
      (fault) => `answer ${status}: ${fault}`,
    )
  })
  return [...added.map((status) => `the answer ${status} is new`), ...changed]
}

/** The kinds of keys: how each is sent, and where tokens come from. Further scopes do no harm. */
function changesOfKeys(before: Json, after: Json): string[] {
  const keysOf = (document: Json) => childOf(document, 'components', 'securitySchemes')
  return Object.entries(keysOf(before)).flatMap(([name, was]) => {
    const is = childOf(keysOf(after)[name])
    const scopes = Object.keys(scopesOf(childOf(was)))
    const isSame = isDeepStrictEqual(withoutWords(childOf(was)), withoutWords(is))
    return isSame && scopes.every((scope) => scope in scopesOf(is))
      ? []
      : [`The key ${name} is sent otherwise`]
  })
}

const scopesOf = (key: Json): Json => childOf(key, 'flows', 'clientCredentials', 'scopes')
const withoutWords = ({ type, in: where, name, scheme }: Json): Json => ({ type, where, name, scheme })
