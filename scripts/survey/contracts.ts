import type { Argument, Family, FamilyEvent } from './families.ts'

export const nameOf = ({ number }: Pick<Family, 'number'>) => `Family${number}`

/** Returns the source of contracts with the behaviour of the families, and of what they need besides. */
export const toSource = (families: readonly Family[]): string =>
  [
    '// SPDX-License-Identifier: MIT',
    'pragma solidity ^0.8.0;',
    commonSource,
    ...families.map((family) => toContract(family)),
  ].join('\n')

/** A token that members pay with, and an operator through which they bind. */
const commonSource = `
contract Token {
  event Transfer(address indexed from, address indexed to, uint256 value);
  string public symbol = "USDT";
  uint8 public decimals = 18;
  function move(address from, address to, uint256 value) external { emit Transfer(from, to, value); }
}
interface Bound { function bind(address member, address referrer, uint256 value) external; }
contract Operator {
  function join(address family, address referrer, uint256 value) external {
    Bound(family).bind(msg.sender, referrer, value);
  }
}`

function toContract(family: Family): string {
  const { events, trigger, payment } = family
  const emit = (on: FamilyEvent['on']) => events.filter((event) => event.on === on).map(toEmit)
  const isToken = trigger === 'receipt' || trigger === 'twoWay'
  return `
contract ${nameOf(family)} {
  address private immutable owner = msg.sender;
  Token private immutable token;
  address private immutable operator;
${keptSource(family)}
  uint256 private volume;
${events.map(toDeclaration).join('\n')}
  constructor(Token token_, address operator_) {
    token = token_;
    operator = operator_;
${isToken ? '    balanceOf[msg.sender] = 1e30;\n    emit Transfer(address(0), msg.sender, 1e30);' : ''}
  }
${isToken ? tokenSource(trigger) : callSource(trigger)}
  function act(address member, address referrer, uint256 value) private {
    volume += value;
${payment ? `    token.move(${payment === 'member' ? 'member, address(this)' : 'address(this), member'}, value);` : ''}
    if (get(member) == address(0) && referrer != member && referrer != address(0)) {
      set(member, referrer);
${emit('bind').join('\n')}
    }
${emit('action').join('\n')}
${levelSource(emit('level'))}
  }
${family.silent ? '  function setReferrer(address member, address referrer) external { require(msg.sender == owner); set(member, referrer); }' : ''}
}`
}

const callSource = (trigger: Family['trigger']) =>
  trigger === 'operator'
    ? `  function bind(address member, address referrer, uint256 value) external {
    require(msg.sender == operator);
    act(member, referrer, value);
  }`
    : '  function join(address referrer, uint256 value) external payable { act(msg.sender, referrer, value); }'

const tokenSource = (trigger: Family['trigger']) => `
  event Transfer(address indexed from, address indexed to, uint256 value);
  string public symbol = "TKN";
  uint8 public decimals = 9;
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => bool)) private offered;
  function transfer(address to, uint256 value) external returns (bool) {
    bool isNew = balanceOf[to] == 0 && to != owner;
    balanceOf[msg.sender] -= value;
    balanceOf[to] += value;
    emit Transfer(msg.sender, to, value);
    if (msg.sender.code.length > 0 || to.code.length > 0) return true;
${
  trigger === 'receipt'
    ? '    if (isNew) act(to, msg.sender, value);'
    : `    offered[to][msg.sender] = true;
    if (!isNew && offered[msg.sender][to] && get(to) != msg.sender) act(msg.sender, to, value);`
}
    return true;
  }`

/** Returns a loop over three levels above a member. Level 0 is the referrer: reward events of most contracts count from zero. */
const levelSource = (lines: readonly string[]) =>
  lines.length === 0
    ? ''
    : `    address up = get(member);
    for (uint8 level = 0; level < 3 && up != address(0); level++) {
${lines.join('\n')}
      up = get(up);
    }`

/** Returns the storage of the referrers, the view, and the functions that read and change them. */
function keptSource({ kept: { form, name, before, input } }: Family): string {
  // In private storage, a flag would share a word with the referrer.
  const isFlag = (index: number) => form === 'struct' && index % 5 === 4
  const words = Array.from({ length: before }, (_, index) => `${isFlag(index) ? 'bool' : 'uint256'} word${index};`)
  const struct = `  struct Member { ${words.join(' ')} address up; address last; uint256 total; }`
  const inStruct = (mapping: string) => `
  function get(address member) private view returns (address) { return ${mapping}[member].up; }
  function set(address member, address referrer) private {
    ${mapping}[member].up = referrer;
    ${mapping}[referrer].last = member;
    ${mapping}[member].total = block.number;
${words.map((_, index) => `    ${mapping}[member].word${index} = ${isFlag(index) ? 'true' : `block.timestamp * ${index + 1}`};`).join('\n')}
  }`
  const inMapping = (mapping: string) => `
  function get(address member) private view returns (address) { return ${mapping}[member]; }
  function set(address member, address referrer) private { ${mapping}[member] = referrer; }`
  if (form === 'mapping') return `  mapping(address => address) public ${name};${inMapping(name)}`
  if (form === 'struct') return `${struct}\n  mapping(address => Member) public ${name};${inStruct(name)}`
  if (form === 'private')
    return before === 0
      ? `  mapping(address => address) private ${name};${inMapping(name)}`
      : `${struct}\n  mapping(address => Member) private ${name};${inStruct(name)}`
  if (form === 'id') return idSource
  return `${struct}\n  mapping(address => Member) private kept;${inStruct('kept')}\n${viewSource(name, before, input)}`
}

const idSource = `
  mapping(address => uint256) private ids;
  mapping(uint256 => address) private members;
  mapping(uint256 => uint256) private records;
  uint256 private last;
  function idOf(address member) private returns (uint256) {
    if (ids[member] == 0) { ids[member] = ++last; members[last] = member; }
    return ids[member];
  }
  function get(address member) private view returns (address) { return members[records[ids[member]]]; }
  function set(address member, address referrer) private { records[idOf(member)] = idOf(referrer); }`

function viewSource(name: string, before: number, input: Family['kept']['input']): string {
  if (input === 'level')
    return `  function ${name}(address member, uint8 level) external view returns (address, address[] memory, bool) {
    return (level == 1 ? get(member) : address(0), new address[](2), false);
  }`
  if (input === 'address')
    return `  function ${name}(address member, address initial) external view returns (address) {
    return get(member) == address(0) ? initial : get(member);
  }`
  const types = Array.from({ length: before }, () => 'uint256')
  const values = Array.from({ length: before }, (_, index) => `kept[member].total * ${index + 3}`)
  return `  function ${name}(address member) external view returns (${[...types, 'address', 'bool'].join(', ')}) {
    return (${[...values, 'kept[member].up', 'true'].join(', ')});
  }`
}

const toDeclaration = ({ name, inputs }: FamilyEvent) =>
  `${inputs.some(({ type }) => type === 'tuple') ? `  struct ${name}Details { address account; uint256 value; }\n` : ''}  event ${name}(${inputs
    .map((input) => `${typeOf(input, name)}${input.indexed ? ' indexed' : ''} ${input.name}`)
    .join(', ')});`

const typeOf = ({ type }: Argument, event: string) => (type === 'tuple' ? `${event}Details` : type)

function toEmit({ name, inputs, on }: FamilyEvent): string {
  const values = inputs.map((input) => toValue(input, name, on))
  return `      emit ${name}(${values.join(', ')});`
}

function toValue({ type, holds }: Argument, event: string, on: FamilyEvent['on']): string {
  if (type === 'tuple') return `${event}Details(member, value)`
  if (type === 'string') return '"0f8fad5b-d9cb-469f"'
  if (type === 'bool') return 'true'
  if (holds === 'member') return 'member'
  if (holds === 'referrer') return on === 'level' ? 'up' : 'referrer'
  if (holds === 'level') return /^RefBonus$/.test(event) ? `${type}(level)` : `${type}(level + 1)`
  if (holds === 'id') return 'idOf(referrer)'
  if (type === 'address') return 'address(token)'
  return /^bytes/.test(type) ? `${type}(0)` : `${type}(${type === 'uint8' ? '1' : 'block.timestamp'})`
}
