import type { Address } from 'viem'
import { demoAccounts } from './demoAccounts.ts'

export type NewAddress = (prefix?: string, suffix?: string) => Address
export type Cast = ReturnType<typeof planCast>

const chainLength = 300

/** Creates the addresses with a special role in the community. */
export function planCast(newAddress: NewAddress) {
  const [leader, member, deepMember] = demoAccounts.map((account) => account.address) as [Address, Address, Address]
  const roots = ['1111', '2222', '3333', '5555', '6666'].map((digits) => newAddress(digits + digits, digits)) as Roots
  return {
    leader,
    member,
    deepMember,
    roots,
    star: newAddress('88888888', '8888'),
    placeholder: newAddress('404404', '0404'),
    latePlaceholder: newAddress('77777777', '7777'),
    cyclic: newAddress('c1c1c1c1', 'c1c1'),
    lookalikes: [newAddress('12345678', '9090'), newAddress('12345678', '9090')] as const,
    /** A line of members, each the referrer of the next. */
    chain: Array.from({ length: chainLength }, (_, index) =>
      index === chainLength - 1 ? newAddress('deed', '0300') : newAddress(),
    ),
    /** Members that bind after others have bound to them. */
    lateReferrers: Array.from({ length: 5 }, () => newAddress()),
    belowCyclic: newAddress(),
    pair: [newAddress(), newAddress()] as const,
    selfReferrers: [newAddress('5e1f5e1f'), newAddress(), newAddress(), newAddress()] as const,
    /** Binds to itself, and some time later to a referrer. */
    learner: newAddress(),
  }
}

type Roots = [Address, Address, Address, ...Address[]]
