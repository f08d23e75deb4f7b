import type { GenericSchema } from 'valibot'
import type { ErrorCode } from '../../../contract/api/envelope.ts'
import type { Scope } from '../../../contract/api/scope.ts'

/** A schema, and descriptions of the fields whose names do not explain themselves, by path (`customer.email`). */
interface Described {
  schema: GenericSchema
  words?: Readonly<Record<string, string>>
}

/** What `resource.data` holds; `name` is its name in the OpenAPI document. */
export interface DescribedResource extends Described {
  name: string
  example: unknown
}

interface Answer {
  status: number
  words: string
  /** None where the answer is no envelope: `media` says what it is then. */
  resource?: DescribedResource
  /** The media type of an answer that is no envelope. */
  media?: string
  /** `resource.data` is an array and `resource.next` a cursor. */
  isPage?: boolean
}

/**
 * What a route takes and answers, for the OpenAPI document and the page made from it. What holds for every route (keys,
 * limits, faults) is added by the document. A route carries it in its `config`; a test names those without one.
 */
export interface Operation {
  /** Unique and in camelCase: code is generated from it. */
  id: string
  /** Heading under which it stands. */
  group: string
  summary: string
  description?: string
  /** The key that it asks for. */
  key: 'public' | 'secret' | 'oauth' | 'checkout' | 'authentication' | 'metrics' | 'none'
  /** What the access token has to be good for, where the key is `oauth`. */
  scope?: Scope
  /** `example`: what stands in the address of the example; a variable of the same name, when left out. */
  params?: Described & { example?: Readonly<Record<string, string>> }
  query?: Described & { example?: Readonly<Record<string, string>> }
  /** In JSON, or as a form of a browser's kind. */
  body?: Described & { example: unknown; isOptional?: boolean; isForm?: boolean }
  /** What a merchant's page does to the same end, in HTML. */
  pageExample?: string
  /** Takes an `Idempotency-Key`. */
  isRepeatable?: boolean
  /** Its good answers carry an `ETag`. It takes that as `If-Match` where `precondition_failed` is among its errors. */
  isTagged?: boolean
  answers: readonly Answer[]
  /** Never rate limited or refused under overload: it reports how the service is. */
  isAlwaysServed?: boolean
  /** It describes the others, and needs nothing that maintenance may take away. */
  isReference?: boolean
  /** It ends what is under way, and nobody sends it again: served in maintenance and under overload, too. */
  isLastWord?: boolean
  /** The media type in which a route answers its errors, in place of the envelope. */
  errorMedia?: string
  /** Codes of its own, beside those that follow from the rest. */
  errors?: readonly ErrorCode[]
  /** The resource that an error answer shows as it stands after the failure: a declined charge is kept. */
  refusalShows?: DescribedResource
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation
  }
}
