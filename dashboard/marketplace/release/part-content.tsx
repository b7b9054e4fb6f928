import type { readEntryFile } from '#contract/marketplace/entries.ts'
import type { readSubmittedFile } from '#contract/marketplace/review-queue.ts'
import type { Input } from '#contract/route.ts'
import type { CallInput } from '#sdk/client.ts'
import { textOfError } from '../../data/errors.ts'
import { mostTextBytes } from '../../data/file-text.rules.ts'
import { useDownload } from '../../data/use-download.ts'
import { useFileText } from '../../data/use-file-text.ts'
import { Button } from '../../parts/button.tsx'
import { Markdown } from '../../parts/markdown.tsx'
import { sizeText } from '../../parts/number-text.ts'
import { Source } from '../../parts/source.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { PlacedFinding, ReleasePart } from './finding.rules.ts'
import { noteOf } from './findings.tsx'
import { FileChange, PartChanges } from './part-changes.tsx'
import styles from './release.module.css'
import { pathOf, type ReadableRelease, textPartsOf, viewsOf } from './release.ts'
import { releaseTexts } from './release.words.ts'
import type { ReleaseSearch, ReleaseView } from './release-search.ts'

type FileOperation = typeof readEntryFile | typeof readSubmittedFile
/** How the files of a release are read: the operation, and its input for a path. */
export type ReadFile = {
  operation: FileOperation
  inputOf: (
    path: string,
  ) => CallInput<Input<typeof readEntryFile>> | CallInput<Input<typeof readSubmittedFile>>
}

export type PartContentProps = {
  release: ReadableRelease
  part: ReleasePart
  title: string
  findings: readonly PlacedFinding[]
  search: ReleaseSearch
  hrefOf: (search: ReleaseSearch) => string
  readFile: ReadFile
}

/** One text or file of a release. */
export function PartContent(props: PartContentProps) {
  const { release, part } = props
  const path = pathOf(part)
  const file = release.files.find(one => one.path === path)
  if (path === undefined || !file) {
    const own = textPartsOf(release).find(one => one.part === part)
    return <PartFrame {...props} text={own?.text ?? ''} />
  }
  return <FilePart {...props} path={path} size={file.size} />
}

function FilePart({ path, size, ...props }: PartContentProps & { path: string; size: number }) {
  const text = useWords(releaseTexts)
  const language = useLanguage()
  const { operation, inputOf } = props.readFile
  const input = inputOf(path) as CallInput<Input<FileOperation>>
  const isTooLarge = size > mostTextBytes
  const file = useFileText(operation, input, props.release.digest, { enabled: !isTooLarge })
  const download = useDownload(operation, path.split('/').at(-1) ?? path)
  if (file.data?.kind === 'text') return <PartFrame {...props} text={file.data.text} size={size} />
  return (
    <PartFrame {...props} size={size}>
      {file.error ? (
        <Problem
          title={textOfError(file.error, language)}
          action={<Button onPress={() => void file.refetch()}>{text.again}</Button>}
        />
      ) : isTooLarge || file.data ? (
        <div className={styles.noText}>
          <p className={styles.quiet}>{isTooLarge ? text.tooLarge : text.binary}</p>
          <Button icon="download" isBusy={download.isPending} onPress={() => download.mutate(input)}>
            {text.download}
          </Button>
        </div>
      ) : (
        <Skeleton rows={8} label={text.reading} />
      )}
    </PartFrame>
  )
}

function PartFrame({
  release,
  part,
  title,
  findings,
  search,
  hrefOf,
  text: content,
  size,
  children,
}: PartContentProps & { text?: string; size?: number; children?: React.ReactNode }) {
  const text = useWords(releaseTexts)
  const language = useLanguage()
  const views = viewsOf(release, part)
  const view = views.find(one => one === search.view) ?? 'source'
  const viewTitles: Record<ReleaseView, string> = {
    source: text.source,
    rendered: text.rendered,
    changes: text.changes(release.difference?.from ?? ''),
  }
  const lines = content === undefined || content === '' ? 0 : content.replace(/\n$/, '').split('\n').length
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
    <section className={styles.content} aria-label={title} tabIndex={0}>
      <header className={styles.contentHead}>
        <h2 className={styles.contentTitle}>{title}</h2>
        <span className={styles.quiet}>
          {[content !== undefined && text.lines(lines), size !== undefined && sizeText(size, language)]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <FileChange release={release} part={part} />
        {views.length > 1 && (
          <div className={styles.views}>
            <Tabs
              label={text.views}
              current={view}
              tabs={views.map(one => ({
                id: one,
                title: viewTitles[one],
                href: hrefOf({ part, ...(one !== 'source' && { view: one }) }),
              }))}
            />
          </div>
        )}
      </header>
      {children ??
        (view === 'rendered' ? (
          <div className={styles.rendered}>
            <Markdown text={content ?? ''} />
          </div>
        ) : view === 'changes' ? (
          <PartChanges release={release} part={part} />
        ) : (
          <Source
            label={title}
            text={content ?? ''}
            notes={findings.map(finding => noteOf(finding, language))}
            current={search.finding}
          />
        ))}
    </section>
  )
}
