import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Reply } from '#contract/route.ts'
import { studioLimits } from '#contract/studio/limits.ts'
import { type Finding, type ImportReport, importAsset } from '#contract/studio/packages.ts'
import { detailsOf, needErrorTexts, textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { readAgain } from '../../data/read.ts'
import { useUpload } from '../../data/use-upload.ts'
import { sizeText } from '../../parts/number-text.ts'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { findingsOf, isMarkdown, nameInArchive } from './import.rules.ts'
import { importTexts } from './transfer.words.ts'
import { zipOfFile } from './zip-of-file.ts'

type ImportedAsset = Exclude<Reply<typeof importAsset>, ImportReport>

/** A chosen package on its way: checked, then imported. */
export type PackageImport = {
  id: string
  name: string
  bytes: number
  state: 'checking' | 'ready' | 'refused' | 'importing' | 'imported'
  progress: number
  /** The asset that the import will create. */
  report?: ImportReport
  /** The asset that it has created. */
  created?: ImportedAsset
  /** Why it cannot be imported. */
  error?: string
  findings: readonly Finding[]
  /** Sending it again can help. */
  canRetry?: boolean
  isIncluded: boolean
}

/** How many packages are under way at once. */
const together = 2
let nextId = 1

/** Packages that are checked when they are chosen, and imported when the person says so: each with a result of its own. */
export function useImports() {
  const text = useWords(importTexts)
  const language = useLanguage()
  const { id: organizationId } = useOrganization()
  const cache = useQueryClient()
  const upload = useUpload(importAsset)
  const [imports, setImports] = useState<readonly PackageImport[]>([])
  const archives = useRef(new Map<string, Blob>())

  const change = (id: string, changed: Partial<PackageImport>) =>
    setImports(all => all.map(one => (one.id === id ? { ...one, ...changed } : one)))

  async function add(files: readonly File[]): Promise<void> {
    const added = files.map((file): PackageImport => {
      const error = refusalOf(file)
      return {
        id: String(nextId++),
        name: file.name,
        bytes: file.size,
        state: error === undefined ? 'checking' : 'refused',
        progress: 0,
        findings: [],
        isIncluded: error === undefined,
        ...(error !== undefined && { error }),
      }
    })
    setImports(all => [...all, ...added])
    await inTurns(
      added.filter(({ state }) => state === 'checking'),
      async one => {
        archives.current.set(one.id, await archiveOf(files[added.indexOf(one)]!))
        await check(one.id)
      },
    )
  }
  function refusalOf({ name, size }: File): string | undefined {
    if (!isMarkdown(name) && !/\.(zip|skill)$/i.test(name)) return text.notPackage
    if (size > studioLimits.packageBytes) return text.tooLarge(sizeText(studioLimits.packageBytes, language))
    return undefined
  }
  async function check(id: string): Promise<void> {
    change(id, { state: 'checking', progress: 0, findings: [], canRetry: false })
    try {
      const report = (await send(id, true)) as ImportReport
      change(id, {
        state: report.isImportable ? 'ready' : 'refused',
        report,
        findings: [...report.errors, ...report.warnings],
        isIncluded: report.isImportable,
      })
    } catch (error) {
      await fail(id, error)
    }
  }
  async function run(id: string): Promise<boolean> {
    change(id, { state: 'importing', progress: 0, findings: [] })
    try {
      const created = (await send(id, false)) as ImportedAsset
      change(id, { state: 'imported', created, findings: created.warnings })
      archives.current.delete(id)
      return true
    } catch (error) {
      await fail(id, error)
      return false
    }
  }
  async function fail(id: string, error: unknown): Promise<void> {
    await needErrorTexts(language)
    const findings = findingsOf(detailsOf(error))
    change(id, {
      state: 'refused',
      error: textOfError(error, language),
      findings,
      canRetry: findings.length === 0,
      isIncluded: false,
    })
  }
  function send(id: string, dryRun: boolean) {
    const form = new FormData()
    form.append('file', archives.current.get(id)!, 'package.zip')
    return upload(dryRun ? { query: { dryRun } } : {}, {
      form,
      onProgress: progress => change(id, { progress }),
    })
  }
  const chosen = imports.filter(({ state, isIncluded }) => state === 'ready' && isIncluded)
  return {
    imports,
    chosen,
    isBusy: imports.some(({ state }) => state === 'importing'),
    add,
    check,
    include: (id: string, isIncluded: boolean) => change(id, { isIncluded }),
    remove: (id: string) => setImports(all => all.filter(one => one.id !== id)),
    clear: () => setImports(all => all.filter(({ state }) => state !== 'imported')),
    async importChosen(): Promise<void> {
      let count = 0
      await inTurns(chosen, async ({ id }) => {
        if (await run(id)) count += 1
      })
      if (count === 0) return
      await readAgain(cache, [organizationId, importAsset.area])
      showToast({ text: text.done(count) })
    },
  }
}

async function archiveOf(file: File): Promise<Blob> {
  if (!isMarkdown(file.name)) return file
  return new Blob([zipOfFile(nameInArchive(file.name), new Uint8Array(await file.arrayBuffer()))])
}

/** Runs a task for each item, a few at a time. */
async function inTurns<Item>(items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(next)
  }
  await Promise.all(Array.from({ length: together }, worker))
}
