import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { UnitKind } from '#contract/identity/units.ts'
import { useCreateAction } from '../../data/create-action.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useList, useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { CreateButton } from '../../parts/create-button.tsx'
import type { Column } from '../../parts/grid.tsx'
import { late } from '../../parts/late.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { countText } from '../../parts/number-text.ts'
import { Page } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Empty } from '../../parts/states.tsx'
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
  const close = () => setOpen({ kind: 'none' })
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
  const index = units.items.findIndex(({ id }) => id === openId)
  function menuOf(unit: Unit): MenuEntry[] {
    return [
      ...(may(operations.rename)
        ? [
            {
              id: 'rename',
              label: text.rename,
              icon: 'edit' as const,
              onAction: () => setOpen({ kind: 'rename', unit }),
            },
          ]
        : []),
      ...(may(operations.remove)
        ? [
            {
              id: 'remove',
              label: text.remove,
              icon: 'trash' as const,
              isDangerous: true,
              onAction: () => setOpen({ kind: 'remove', unit }),
            },
          ]
        : []),
    ]
  }
  const shown = units.items[index]
  const createButton = mayCreate && (
    <CreateButton dialog={UnitNameDialog} onPress={startNew}>
      {create}
    </CreateButton>
  )
  return (
    <Page
      title={text.title}
      width="full"
      actions={createButton}
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
            search ? (
              <Empty
                title={text.nothing}
                action={<Button onPress={() => change({ search: undefined })}>{text.clear}</Button>}
              />
            ) : (
              <Empty title={text.none} action={mayCreate && <Button onPress={startNew}>{create}</Button>}>
                {kindTexts[language][kind].about}
              </Empty>
            )
          }
        />
      </WithSheet>
      {open.kind === 'create' && (
        <UnitNameDialog kind={kind} onClose={close} onCreated={({ id }) => change({ open: id })} />
      )}
      {open.kind === 'rename' && <UnitNameDialog kind={kind} unit={open.unit} onClose={close} />}
      {open.kind === 'remove' && <RemoveUnitDialog kind={kind} unit={open.unit} onClose={close} />}
    </Page>
  )
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
