interface Modules {
  getModuleInfo: (id: string) => { isEntry: boolean; importers: readonly string[] } | null
}

/** How an app is split into files: one has everything that it needs to start, another what at least three later pages share. */
export const oneFileAtStart = {
  includeDependenciesRecursively: false,
  groups: [
    {
      debugName: 'start',
      name: (id: string, modules: Modules) => (isNeeded(id, modules, new Set()) ? 'start' : null),
    },
    { name: 'shared', minShareCount: 3 },
  ],
}

/** Whether the entry imports a module, directly or by way of others. `seen`: modules that were looked at, as imports may go in circles. */
function isNeeded(id: string, modules: Modules, seen: Set<string>): boolean {
  if (seen.has(id)) return false
  seen.add(id)
  const info = modules.getModuleInfo(id)
  return info !== null && (info.isEntry || info.importers.some((by) => isNeeded(by, modules, seen)))
}
