import { Ajv2020 } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { FastifyInstance, InjectOptions } from 'fastify'
import * as v from 'valibot'

const Document = v.looseObject({ paths: v.record(v.string(), v.record(v.string(), v.unknown())) })

/**
 * Throws when an answer in JSON is not what the service's own OpenAPI document says of that operation and status.
 * Addresses and methods that the document does not know are let through: their answers are 404 and 405.
 */
export function answersAsDescribed(
  app: FastifyInstance,
): (options: InjectOptions, status: number, body: string) => Promise<void> {
  let described: Promise<Described> | undefined
  return async (options, status, body) => {
    described ??= readDocument(app)
    const { ajv, operations } = await described
    const method = (options.method ?? 'GET').toLowerCase()
    const url = typeof options.url === 'string' ? options.url : ''
    const path = pathOf(url)
    const operation = operations.find((one) => one.method === method && one.pattern.test(path))
    if (operation === undefined) return
    const pointer = `${operation.pointer}/responses/${status}/content/application~1json/schema`
    const validate = ajv.getSchema(pointer)
    if (validate === undefined) throw new Error(`${method} ${path}: the status ${status} is not described`)
    if (validate(JSON.parse(body)) !== true) {
      const faults = JSON.stringify(validate.errors, null, 1)
      throw new Error(`${method} ${path} ${status} is not as described: ${body}\n${faults}`)
    }
  }
}

interface Described {
  ajv: Ajv2020
  operations: { method: string; pattern: RegExp; pointer: string }[]
}

/** By the document's text: most test services have the same, and its schemas take 0.1 s of processor time to compile. */
const knownDocuments = new Map<string, Described>()

async function readDocument(app: FastifyInstance): Promise<Described> {
  const { body } = await app.inject({ url: '/openapi.json' })
  const described = knownDocuments.get(body) ?? describedBy(body)
  knownDocuments.set(body, described)
  return described
}

function describedBy(text: string): Described {
  const document = v.parse(Document, JSON.parse(text))
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false, formats: fullFormats })
  ajv.addSchema(document, 'document')
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => ({
      method,
      pattern: new RegExp(`^${path.replace(/[.]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`),
      pointer: `document#/paths/${path.replaceAll('/', '~1')}/${method}`,
    })),
  )
  // A fixed path comes before one with a variable part.
  return { ajv, operations: operations.sort((one, other) => braces(one.pointer) - braces(other.pointer)) }
}

const braces = (text: string): number => text.split('{').length
const pathOf = (url: string): string => new URL(url, 'http://service').pathname.replace(/(?<=.)\/$/, '')
