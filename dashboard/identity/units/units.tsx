import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { UnitKind } from '#contract/identity/units.ts'
import { useCreateAction } from '../../data/create-action.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useList, useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { CreateButton } from '../../parts/create-button.tsx'
import { EmptyList } from '../../parts/empty-list.tsx'
import type { Column } from '../../parts/grid.tsx'
import { late } from '../../parts/late.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { countText } from '../../parts/number-text.ts'
import { Page } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { Time } from '../../parts/time.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import { type Unit, unitKinds, unitOperations } from './unit-kinds.ts'
import type { UnitSearch } from './unit-search.ts'
import styles from './units.module.css'
import { kindTexts, unitTexts } from './units.words.ts'

const UnitSheet = late(() => import('./unit-sheet.tsx').then(sheet => sheet.UnitSheet))
const UnitNameDialog = late(() => import('./unit-dialogs.tsx').then(dialogs => dialogs.UnitNameDialog))
const RemoveUnitDialog = late(() => import('./unit-dialogs.tsx').then(dialogs => dialogs.RemoveUnitDialog))

type Open = { kind: 'none' } | { kind: 'create' } | { kind: 'rename' | 'remove'; unit: Unit }

/** The departments, workspaces and groups of the organization, and who is in them. */
export function Units() {
  const text = useWords(unitTexts)
  const language = useLanguage()
  const may = useMay()
  const navigate = useNavigate()
  const { kind = 'DEPARTMENT', search, open: openId } = useSearch({ from: '/o/$organization/settings/units' })
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const operations = unitOperations[kind]
  const units = useList(operations.list, { query: { ...(search && { search }) } })
  const change = (changed: { [Key in keyof UnitSearch]: UnitSearch[Key] | undefined }) =>
    void navigate({ to: '.', search: former => ({ ...former, ...changed }), replace: true })
  const mayCreate = may(operations.create)
  const action = `create-${kind.toLowerCase() as Lowercase<UnitKind>}` as const
  const create = useWords(actionTexts)[action]
  const startNew = () => setOpen({ kind: 'create' })
  useCreateAction(action, create, text.title, mayCreate && startNew)
  const columns = useMemo(() => columnsOf(text), [text])
  const menuOf = useUnitMenu(kind, setOpen)
  const index = units.items.findIndex(({ id }) => id === openId)
  const shown = units.items[index]
  return (
    <Page
      title={text.title}
      width="full"
      actions={
        mayCreate && (
          <CreateButton dialog={UnitNameDialog} onPress={startNew}>
            {create}
          </CreateButton>
        )
      }
      below={
        <>
          <UnitTabs current={kind} />
          <div className={styles.search}>
            <SearchField
              key={kind}
              label={text.search}
              value={search ?? ''}
              onChange={value => change({ search: value || undefined })}
            />
          </div>
        </>
      }
    >
      <WithSheet
        sheet={
          shown && (
            <UnitSheet
              key={shown.id}
              kind={kind}
              unit={shown}
              menu={menuOf(shown)}
              onClose={() => change({ open: undefined })}
              {...neighboursOf(units.items, index, ({ id }) => change({ open: id }))}
            />
          )
        }
      >
        <ListGrid
          label={kindTexts[language][kind].many}
          columns={columns}
          list={units}
          rowKey={({ id }) => id}
          rowLabel={({ name }) => name}
          rowMenu={menuOf}
          onOpen={({ id }) => change({ open: id })}
          current={openId}
          empty={
            <EmptyList
              isFiltered={Boolean(search)}
              nothingFits={text.nothing}
              clear={text.clear}
              onClear={() => change({ search: undefined })}
              title={text.none}
              action={mayCreate && <Button onPress={startNew}>{create}</Button>}
            >
              {kindTexts[language][kind].about}
            </EmptyList>
          }
        />
      </WithSheet>
      <UnitDialogs
        kind={kind}
        open={open}
        onClose={() => setOpen({ kind: 'none' })}
        onCreated={({ id }) => change({ open: id })}
      />
    </Page>
  )
}

/** The menu of a unit: what the person may do with it. */
function useUnitMenu(kind: UnitKind, setOpen: (open: Open) => void): (unit: Unit) => MenuEntry[] {
  const text = useWords(unitTexts)
  const may = useMay()
  const operations = unitOperations[kind]
  return unit => {
    const entries: (MenuEntry | false)[] = [
      may(operations.rename) && {
        id: 'rename',
        label: text.rename,
        icon: 'edit',
        onAction: () => setOpen({ kind: 'rename', unit }),
      },
      may(operations.remove) && {
        id: 'remove',
        label: text.remove,
        icon: 'trash',
        isDangerous: true,
        onAction: () => setOpen({ kind: 'remove', unit }),
      },
    ]
    return entries.filter(entry => entry !== false)
  }
}

/** The dialog that is open, if any: for a new unit, another name, or the question before one is removed. */
function UnitDialogs({
  kind,
  open,
  onClose,
  onCreated,
}: {
  kind: UnitKind
  open: Open
  onClose: () => void
  onCreated: (unit: Unit) => void
}) {
  if (open.kind === 'none') return null
  if (open.kind === 'create') return <UnitNameDialog kind={kind} onClose={onClose} onCreated={onCreated} />
  if (open.kind === 'rename') return <UnitNameDialog kind={kind} unit={open.unit} onClose={onClose} />
  return <RemoveUnitDialog kind={kind} unit={open.unit} onClose={onClose} />
}

/** The three kinds of unit, each with how many there are. */
function UnitTabs({ current }: { current: UnitKind }) {
  const text = useWords(unitTexts)
  const language = useLanguage()
  const { address } = useOrganization()
  const one = { query: { limit: 1 } }
  const totals: Readonly<Record<UnitKind, number | undefined>> = {
    DEPARTMENT: useRead(unitOperations.DEPARTMENT.list, one).data?.total,
    WORKSPACE: useRead(unitOperations.WORKSPACE.list, one).data?.total,
    GROUP: useRead(unitOperations.GROUP.list, one).data?.total,
  }
  return (
    <Tabs
      label={text.title}
      current={current}
      tabs={unitKinds.map(kind => {
        const total = totals[kind]
        return {
          id: kind,
          title: kindTexts[language][kind].many,
          href: `/o/${encodeURIComponent(address)}/settings/units?kind=${kind}`,
          ...(total !== undefined && { count: countText(total, language) }),
        }
      })}
    />
  )
}

function columnsOf(text: { name: string; created: string }): Column<Unit>[] {
  return [
    { id: 'name', title: text.name, width: 'minmax(200px, 3fr)', cell: ({ name }) => name },
    {
      id: 'created',
      title: text.created,
      width: '140px',
      align: 'end',
      phone: 'end',
      cell: ({ createdAt }) => <Time value={createdAt} form="date" />,
    },
  ]
}
