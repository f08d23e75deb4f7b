import { join } from 'node:path'
import ts from 'typescript'
import { parseAllDocuments } from 'yaml'

/** The objects in a text for `kubectl apply`, which is YAML 1.1. */
export function objectsIn(text) {
  return parseAllDocuments(text, { version: '1.1' })
    .map((document) => document.toJS())
    .filter((object) => object !== null)
}

/**
 * What is wrong with objects of Kubernetes by the types that are made of its API's description: fields that there are not, or that
 * are absent, and values that may not be. One line for each fault, which begins with the object's kind.
 */
export function kubernetesFaults(objects) {
  const lines = objects.map(
    ({ apiVersion, kind }, index) =>
      `import type { I${kind} as Type${index} } from 'kubernetes-models/${apiVersion}/${kind}'; export const object${index}: Type${index} = ${JSON.stringify(objects[index])}`,
  )
  const path = join(import.meta.dirname, 'objects.ts')
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  }
  const host = ts.createCompilerHost(options)
  const { readFile, fileExists } = host
  host.readFile = (name) => (name === path ? lines.join('\n') : readFile(name))
  host.fileExists = (name) => name === path || fileExists(name)
  return ts
    .getPreEmitDiagnostics(ts.createProgram([path], options, host))
    .map(({ file, start, messageText }) => {
      const index = file?.fileName === path ? file.getLineAndCharacterOfPosition(start).line : undefined
      const words = ts.flattenDiagnosticMessageText(messageText, ' ')
      return `${objects[index]?.kind ?? 'Types'}: ${words}`
    })
}
