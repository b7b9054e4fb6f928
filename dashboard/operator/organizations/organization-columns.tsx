import type { Column } from '../../parts/grid.tsx'
import { noValue } from '../../parts/grid-column.ts'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { planNames } from '../../shell/shell.words.ts'
import { exceptionCount, type Organization } from './organization.ts'

type Texts = Readonly<
  Record<'name' | 'plan' | 'exceptions' | 'state' | 'created' | 'active' | 'suspended', string>
> & { exceptionCount: (count: number) => string }

/** The columns of the list; `isNarrow` is the list beside the open sheet. */
export function organizationColumns(text: Texts, isNarrow: boolean): Column<Organization>[] {
  const columns: Column<Organization>[] = [
    { id: 'name', title: text.name, width: 'minmax(180px, 3fr)', cell: ({ name }) => name },
    {
      id: 'plan',
      title: text.plan,
      width: '120px',
      phone: 'below',
      cell: ({ plan }) => planNames[plan],
    },
    {
      id: 'state',
      title: text.state,
      width: '140px',
      phone: 'end',
      cell: ({ suspendedAt }) => <OrganizationState suspendedAt={suspendedAt} text={text} />,
    },
  ]
  if (isNarrow) return columns
  return [
    ...columns,
    {
      id: 'exceptions',
      title: text.exceptions,
      width: '140px',
      phone: 'belowEnd',
      cell: organization => {
        const count = exceptionCount(organization)
        return count === 0 ? noValue : text.exceptionCount(count)
      },
    },
    {
      id: 'created',
      title: text.created,
      width: '130px',
      align: 'end',
      cell: ({ createdAt }) => <Time value={createdAt} form="date" />,
    },
  ]
}

/** Whether an organization works or is suspended. */
export function OrganizationState({
  suspendedAt,
  text,
}: {
  suspendedAt: string | null
  text: Readonly<Record<'active' | 'suspended', string>>
}) {
  return suspendedAt === null ? (
    <Status icon="done" kind="done">
      {text.active}
    </Status>
  ) : (
    <Status icon="blocked" kind="danger">
      {text.suspended}
    </Status>
  )
}
