import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks'
import type * as v from 'valibot'
import type { AnySchema } from '../api/api.ts'
import { useApp } from '../app-context.ts'
import { createResource } from './resource.ts'
import type { Resource } from './resource.ts'

/**
 * Reads a path of the API and keeps its state. When the path changes, as with a filter, what was read before stays until
 * the answer. After a failure it is read again when the device comes back online. `schema` is the answer's, a constant.
 */
export function useResource<Schema extends AnySchema>(
  path: string,
  schema: Schema,
): Resource<v.InferOutput<Schema>> {
  const { api, browser } = useApp()
  const resource = useMemo(
    () => createResource((from, signal) => api.read(from, schema, signal)),
    [api, schema],
  )
  // Before the browser paints, as the answer takes longer.
  useLayoutEffect(() => void resource.open(path), [resource, path])
  useEffect(() => {
    const retry = () => {
      const { value } = resource.state
      if (value.kind === 'failed' || (value.kind === 'ready' && value.failure)) void resource.reload()
    }
    browser.window.addEventListener('online', retry)
    return () => {
      browser.window.removeEventListener('online', retry)
      resource.stop()
    }
  }, [resource, browser])
  return resource
}
