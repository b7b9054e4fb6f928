import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import type { Asset } from '#contract/studio/assets.ts'
import { type Attachment, listFiles, uploadFiles } from '#contract/studio/files.ts'
import { listVersions, type Version } from '#contract/studio/versions.ts'
import { textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choice.tsx'
import { DropArea } from '../../parts/drop-area.tsx'
import { late } from '../../parts/late.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { sizeText } from '../../parts/number-text.ts'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { Tree } from '../../parts/tree.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { inOrderOf, treeOfFiles } from './file-paths.rules.ts'
import styles from './files.module.css'
import { fileTexts } from './files.words.ts'
import { type FilesSearch, filesSearchOf } from './files-search.ts'
import { UploadForm } from './upload-form.tsx'
import { useUploads } from './use-uploads.ts'
import { WhyLocked } from './why-locked.tsx'

const FileSheet = late(() => import('./file-sheet.tsx').then(sheet => sheet.FileSheet))

/** The attachments of a version: a tree of paths, uploads, and the open file beside it. */
export function FilesTab({ asset }: { asset: Asset }) {
  const text = useWords(fileTexts)
  const language = useLanguage()
  const may = useMay()
  const navigate = useNavigate()
  const search = filesSearchOf(useSearch({ strict: false }))
  const change = (next: FilesSearch) =>
    void navigate({ to: '.', search: { tab: 'files', ...next } as never, replace: true })
  const versions = useList(listVersions, { params: { id: asset.id } })
  const shown = versions.items.find(one =>
    search.version === undefined ? one.isCurrent : one.version === search.version,
  )
  const version = search.version ?? asset.currentVersion.version
  const params = { id: asset.id, version }
  const files = useList(listFiles, { params, query: { limit: 100 } })
  const { hasMore, isLoadingMore, loadMore, items } = files
  const goesOn = hasMore && !isLoadingMore && !files.error
  useEffect(() => {
    if (goesOn) loadMore()
  })
  const [folder, setFolder] = useState('')
  const taken = useMemo(() => new Set(items.map(({ path }) => path)), [items])
  const uploads = useUploads(params, taken)
  const isPublished = shown
    ? shown.publishedAt !== null
    : search.version === undefined && asset.currentVersion.publishedAt !== null
  const canWrite = may(uploadFiles) && asset.access !== 'READ' && asset.status !== 'ARCHIVED' && !isPublished
  const nodes = useMemo(() => treeOfFiles(items, size => sizeText(size, language)), [items, language])
  const open = (file: Pick<Attachment, 'path'>) => change({ ...search, file: file.path })
  const ordered = useMemo(() => inOrderOf(nodes, items), [nodes, items])
  const index = ordered.findIndex(({ path }) => path === search.file)
  return (
    <DropArea hint={text.drop} isDisabled={!canWrite} onFiles={dropped => uploads.add(dropped, folder)}>
      <WithSheet
        sheet={
          search.file !== undefined &&
          !files.isLoading && (
            <FileSheet
              key={search.file}
              file={ordered[index]}
              canRemove={canWrite}
              onClose={() => change(search.version === undefined ? {} : { version: search.version })}
              {...neighboursOf(ordered, index, open)}
            />
          )
        }
      >
        <div className={styles.tab}>
          <div className={styles.bar}>
            <VersionChoice
              versions={versions.items}
              version={version}
              onChange={chosen => change(chosen === asset.currentVersion.version ? {} : { version: chosen })}
            />
            {files.total !== undefined && files.total > 0 && (
              <span className={styles.quiet}>{text.total(files.total)}</span>
            )}
          </div>
          <WhyLocked
            asset={asset}
            version={version}
            isPublished={isPublished}
            isCurrent={shown?.isCurrent ?? true}
          />
          {canWrite && <UploadForm uploads={uploads} folder={folder} onFolder={setFolder} />}
          {files.error ? (
            <Problem
              title={textOfError(files.error, language)}
              action={<Button onPress={files.reload}>{text.again}</Button>}
            />
          ) : files.isLoading ? (
            <Skeleton rows={4} label={text.reading} />
          ) : nodes.length === 0 ? (
            <div className={styles.empty}>
              <p>{text.empty}</p>
              <p className={styles.quiet}>{text.emptyAbout}</p>
            </div>
          ) : (
            <Tree
              label={text.files}
              nodes={nodes}
              current={ordered[index]?.id}
              onOpen={id => {
                const file = ordered.find(one => one.id === id)
                if (file) open(file)
              }}
            />
          )}
        </div>
      </WithSheet>
    </DropArea>
  )
}

/** Chooses the version whose files are shown. */
function VersionChoice({
  versions,
  version,
  onChange,
}: {
  versions: readonly Pick<Version, 'version' | 'isCurrent' | 'publishedAt'>[]
  version: string
  onChange: (version: string) => void
}) {
  const text = useWords(fileTexts)
  // until they are read, the one that is shown
  const known = versions.length > 0 ? versions : [{ version, isCurrent: true, publishedAt: null }]
  return (
    <Choice
      label={text.version}
      isLabelHidden
      value={version}
      onChange={onChange}
      options={known.map(one => ({
        value: one.version,
        label: [one.version, one.isCurrent && text.active, one.publishedAt && text.published]
          .filter(Boolean)
          .join(' · '),
      }))}
    />
  )
}
