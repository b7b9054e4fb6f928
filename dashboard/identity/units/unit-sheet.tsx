import { useRef, useState } from 'react'
import { listMembers } from '#contract/identity/organization.ts'
import type { UnitKind } from '#contract/identity/units.ts'
import { textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction, useList } from '../../data/read.ts'
import { useShortcuts } from '../../data/shortcuts.ts'
import { IconButton } from '../../parts/button.tsx'
import { PersonPicker } from '../../parts/combo.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Person } from '../../parts/person.tsx'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { type Unit, type UnitMember, unitOperations } from './unit-kinds.ts'
import styles from './units.module.css'
import { kindTexts, unitTexts } from './units.words.ts'

/** A unit and its members; `m` adds one. */
export function UnitSheet({
  kind,
  unit,
  menu,
  ...sheet
}: {
  kind: UnitKind
  unit: Unit
  menu: readonly MenuEntry[]
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}) {
  const text = useWords(unitTexts)
  const language = useLanguage()
  const may = useMay()
  const operations = unitOperations[kind]
  const members = useList(operations.listMembers, { params: { id: unit.id }, query: { limit: 50 } })
  const add = useAction(operations.addMember, { refreshes: [operations.listMembers] })
  const remove = useAction(operations.removeMember, { refreshes: [operations.listMembers] })
  const put = (person: { personId: string; name: string }) =>
    add.mutate(
      { params: { id: unit.id, personId: person.personId } },
      { toastsFailure: true, toast: () => text.added(person.name, unit.name) },
    )
  const takeOut = (person: UnitMember) =>
    remove.mutate(
      { params: { id: unit.id, personId: person.personId } },
      {
        toastsFailure: true,
        toast: () => ({
          text: text.takenOut(person.name, unit.name),
          action: { label: text.undo, onPress: () => put(person) },
        }),
      },
    )
  return (
    <Sheet
      {...sheet}
      title={unit.name}
      about={members.total === undefined ? kindTexts[language][kind].about : text.memberCount(members.total)}
      menu={menu.length > 0 && <MoreMenu label={text.actions} groups={[{ id: 'actions', entries: menu }]} />}
    >
      {may(operations.addMember) && (
        <SheetSection>
          <AddMember members={members.items} onAdd={put} />
        </SheetSection>
      )}
      <SheetSection>
        {members.isLoading && <Skeleton rows={3} label={text.reading} />}
        {members.error && <Problem title={textOfError(members.error, language)} />}
        {!members.isLoading && !members.error && members.items.length === 0 && (
          <p className={styles.quiet}>{text.noMembers}</p>
        )}
        <ul className={styles.members} aria-label={text.members}>
          {members.items.map(member => (
            <li key={member.personId} className={styles.member}>
              <span className={styles.memberName}>
                <Person name={member.name} about={member.email} />
              </span>
              {may(operations.removeMember) && (
                <IconButton
                  icon="close"
                  size="small"
                  label={text.takeOut(member.name)}
                  isDisabled={remove.isPending && remove.variables.params?.personId === member.personId}
                  onPress={() => takeOut(member)}
                />
              )}
            </li>
          ))}
        </ul>
        <LoadMore {...members} shown={members.items.length} />
      </SheetSection>
    </Sheet>
  )
}

/** Finds members of the organization by name and adds the chosen one; the field is then ready for the next. */
function AddMember({
  members,
  onAdd,
}: {
  members: readonly UnitMember[]
  onAdd: (person: { personId: string; name: string }) => void
}) {
  const text = useWords(unitTexts)
  const field = useRef<HTMLDivElement>(null)
  const [search, setSearch] = useState('')
  const found = useList(listMembers, { query: { limit: 20, ...(search && { search }) } })
  const inside = new Set(members.map(({ personId }) => personId))
  const others = found.items.filter(({ personId }) => !inside.has(personId))
  useShortcuts(
    { m: { label: text.add, action: () => field.current?.querySelector('input')?.focus() } },
    text.members,
  )
  return (
    <div ref={field}>
      <PersonPicker
        label={text.add}
        hint={text.addHint}
        people={others.map(({ personId, name, email }) => ({ id: personId, name, email }))}
        isLoading={found.isLoading}
        search={search}
        onSearch={setSearch}
        value={null}
        onChange={id => {
          const person = others.find(({ personId }) => personId === id)
          if (!person) return
          setSearch('')
          onAdd(person)
        }}
      />
    </div>
  )
}
