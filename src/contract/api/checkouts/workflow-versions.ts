/** A version of the checkout's workflow that intents can be created for (contract §5). */
export interface WorkflowVersion {
  version: number
  /** A retired version is still served unchanged, but new integrations should not use it. */
  is_retired: boolean
}

/** Every workflow version, oldest first. The SDK built from this source supports all of them. */
export const WORKFLOW_VERSIONS: readonly WorkflowVersion[] = [
  { version: 1, is_retired: false },
  { version: 2, is_retired: false },
]
