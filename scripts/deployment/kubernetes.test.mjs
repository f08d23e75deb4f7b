import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { kubernetesFaults, objectsIn } from './kubernetes-faults.mjs'

const manifest = () => objectsIn(readFileSync('deploy/kubernetes/card-service.yaml', 'utf8'))

it('each object of the manifest for Kubernetes is as its API describes it', () => {
  expect(manifest().map(({ kind }) => kind)).toEqual([
    'ConfigMap',
    'Deployment',
    'Service',
    'PodDisruptionBudget',
  ])
  expect(kubernetesFaults(manifest())).toEqual([])
}, 60_000)

it('fields that there are not, or are absent, and values that may not be are found', () => {
  const [, deployment] = manifest()
  const changed = [
    (pod) => (pod.containers[0].readOnlyRootFileSystem = true),
    (pod) => (pod.restartPolicy = 'Sometimes'),
    (pod) => (pod.terminationGracePeriodSeconds = '60'),
    (pod) => delete pod.containers[0].name,
  ].map((change) => {
    const object = structuredClone(deployment)
    change(object.spec.template.spec)
    return object
  })
  const faults = kubernetesFaults(changed)
  expect(faults.map((fault) => fault.match(/"(\w+)"|'string'/)[0])).toEqual([
    '"readOnlyRootFileSystem"',
    '"Sometimes"',
    "'string'",
    '"name"',
  ])
}, 60_000)
