import { getOperatedOrganization } from '#contract/identity/operator.ts'
import { useRead } from '../../data/read.ts'
import { ReadingSection } from '../../data/reading-section.tsx'
import { Button } from '../../parts/button.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useWords } from '../../words/words.ts'
import type { Organization } from './organization.ts'
import { OrganizationDetail } from './organization-detail.tsx'
import { organizationTexts } from './organizations.words.ts'

/** An organization beside the list. */
export function OrganizationSheet({
  id,
  listed,
  entriesOf,
  ...sheet
}: {
  id: string
  /** The organization, if the list has it; else it is read. */
  listed: Organization | undefined
  entriesOf: (organization: Organization) => MenuEntry[]
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}) {
  const text = useWords(organizationTexts)
  const read = useRead(getOperatedOrganization, { params: { id } }, { enabled: listed === undefined })
  const organization = listed ?? read.data
  const pageHref = `/operator/organizations/${id}`
  if (!organization)
    return (
      <Sheet {...sheet} title={text.organization} pageHref={pageHref}>
        <ReadingSection error={read.error} label={text.reading} />
      </Sheet>
    )
  const entries = entriesOf(organization)
  return (
    <Sheet
      {...sheet}
      title={organization.name}
      pageHref={pageHref}
      menu={
        <MoreMenu
          label={text.actions}
          groups={[{ id: 'actions', entries: entries.filter(entry => entry.id !== 'plan') }]}
        />
      }
      actions={
        <Button icon="edit" onPress={() => entries.find(entry => entry.id === 'plan')?.onAction?.()}>
          {text.changePlan}
        </Button>
      }
    >
      <OrganizationDetail organization={organization} level={3} />
    </Sheet>
  )
}
