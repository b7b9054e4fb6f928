import { getMember, listMemberUnits } from '#contract/identity/organization.ts'
import { textOfError } from '../../data/errors.ts'
import { useKnownHref } from '../../data/known-href.ts'
import { useList, useRead } from '../../data/read.ts'
import { ReadingSection } from '../../data/reading-section.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Member } from './member.ts'
import styles from './members.module.css'
import { memberTexts } from './members.words.ts'

export type MemberSheetProps = {
  personId: string
  /** The member, if the list has them; else they are read. */
  member: Member | undefined
  nameOf: (member: Member) => string
  menuOf: (member: Member) => readonly MenuEntry[]
  position?: string
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

/** A member: role, since when, and the units they belong to. */
export function MemberSheet({ personId, member: listed, nameOf, menuOf, ...sheet }: MemberSheetProps) {
  const text = useWords(memberTexts)
  const read = useRead(getMember, { params: { personId } }, { enabled: listed === undefined })
  const member = listed ?? read.data
  if (!member)
    return (
      <Sheet {...sheet} title={text.member}>
        <ReadingSection error={read.error} label={text.reading} />
      </Sheet>
    )
  const entries = menuOf(member)
  return (
    <Sheet
      {...sheet}
      title={member.name}
      about={member.email}
      menu={<MoreMenu label={text.actions} groups={[{ id: 'actions', entries }]} />}
    >
      <SheetSection>
        <Facts
          facts={[
            { term: text.role, value: nameOf(member) },
            { term: text.joined, value: <Time value={member.joinedAt} form="date" /> },
            { term: text.id, value: <Id value={personId} isShortened /> },
          ]}
        />
      </SheetSection>
      <SheetSection>
        <MemberUnits personId={personId} />
      </SheetSection>
    </Sheet>
  )
}

function MemberUnits({ personId }: { personId: string }) {
  const text = useWords(memberTexts)
  const language = useLanguage()
  const hrefOf = useKnownHref()
  const units = useList(listMemberUnits, { params: { personId } }, { staleMs: 0 })
  return (
    <>
      <h3 className={styles.subtitle}>{text.units}</h3>
      {units.isLoading && <Skeleton rows={2} label={text.reading} />}
      {units.error && <Problem title={textOfError(units.error, language)} />}
      {!units.isLoading && !units.error && units.items.length === 0 && (
        <p className={styles.quiet}>{text.noUnits}</p>
      )}
      <ul>
        {units.items.map(({ id, kind, name }) => (
          <li key={id} className={styles.unit}>
            <TextLink href={hrefOf('settings/units', `?kind=${kind}&open=${id}`)}>{name}</TextLink>
            <span className={styles.quiet}>{text[kind]}</span>
          </li>
        ))}
      </ul>
      <LoadMore {...units} shown={units.items.length} />
    </>
  )
}
