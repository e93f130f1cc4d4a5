import type { AmountKind } from '@lineage/referral-api/amounts'
import { bindPresets } from './presets.ts'

type Value = string | number | boolean

/** A way from a member to its referrer, as `parent` of the configuration holds it. */
export type KnownView = {
  view: string
  output?: string | number
  args?: Value[]
  next?: KnownView
}

/**
 * Views that lead from a member to its referrer in contracts on BNB Smart Chain, the most frequent first: counted in two
 * public collections of verified sources, one contract of each kind. Beside each stands a contract that has it.
 */
export const knownViews: readonly KnownView[] = [
  getter('inviter'), // 0x615CAaD50cea846535934A0AC0186351569F1364
  getter('referrals'), // 0x03414b0E526A5D6C2E1fC813724448a871598287
  getter('_inviter'), // 0x00fCF77c9e2B79bEa4C57A28492fBd72e3E17113
  getter('referrers'), // 0x08eEE9C8D38804dcBA77e66AAb0dEb5064c21370
  getter('getUserReferrer'), // 0x30c791253336CD57cfa6a970FEB09b1744853A78
  getter('getInviter'), // 0x82893c80d4725812AAa63aEEcA48aBDC67EA157f
  getter('_invitor'), // 0xACe464cdA9a65EeaF3928cBb3781e723B1738888
  getter('getReferrer'), // 0x20BF6eF7D765D5485CD52a981554b42A9B375058
  // Beside a view of the place in a tree, as `parentOf`, the sponsor is who invited.
  getter('sponsorOf'), // SmartLadder of Smart Army, which also has the next one
  getter('sponsor'),
  getter('getParent'), // 0x31c8B15b1Ea294D79175F762d3Ae7a5271C1469c
  getter('getReferral'), // 0x17A3815C99DDb95fdAfB26c6C2A5Fc840C1B7DB2
  getter('invite'), // 0x22A077E7Fa8B6340A90d74F61c2777E54D353307
  getter('uppers'), // 0x0938f4f818c9B37610ff7A8da5cA7CAbBe0b8390
  getter('referrerOf'), // 0x584bA191c008dC2aE8De3651d5A1b3D453AC602D
  getter('referrer'), // 0xb87c8A085634F6E99AFb2f8e28A843B3c69C6506
  getter('Inviter'), // 0x0eE20c2B12F3d70D834D236DEE9510773Fa152dE
  getter('referals'), // 0x2d5A1155e0AD0d0d3857649171b5D348258A5802
  getter('getUserReferee'), // 0x05608Fa0cd392C577560884d033bB2a6BC00927c
  getter('referer'), // 0x69Edb33Ace2A125236CB04FFa6AF548232Ec9E6b
  getter('upper'), // 0xd3bFC582664B6c7D94B5f3A813B6C5AA08De85C9
  getter('parent'), // 0x4285bf2314a156560755e18991cFCb3dF5Dd2aF5
  getter('recommender'), // 0x892777cDb50b4Ab189BfE53EbF4Ef581E6D67402
  getter('referredTo'), // 0x122A3d404b0fa741120e8FDAc50e2D9Dc6532838
  getter('parents'), // 0xA1CE5AfbFb59B37076ba756d3Ab1081C7A01Be74
  getter('getParentMember'), // 0x17394cfb5B99d2fc9374855B7CE6e483b4547006
  getter('upline'), // 0x19d77EC7694Dbdd30FdCb296179be184122F2a1A
  getter('beinvited'), // 0x63B432bf3D1e67c6F1A1BAB1B676AAb212aA9877
  getter('inviters'), // 0x9FD6EEEdA3f3eaAa1f13d488CbF91d4d2bFB8652
  getter('toFather'), // 0x8400C16e6812C6a30052B8ec619E0d182aFeBfD4
  getter('referralAddress'), // 0xd430db2f3a1F1D1C4A013b0692D996aE3DEf90B7
  getter('getReferralData'), // 0xd430db2f3a1F1D1C4A013b0692D996aE3DEf90B7
  getter('getUplinePartner'), // 0x786a87E0dad2BD9975c76B6497484099318ba9D1
  getter('selectUpline'), // 0x7a96A8fb113A9062D425F32bD3CDC0fe8Ba8e3fA
  getter('getReferrerAddress'), // 0x9Fe01BDF514FE0d80dF04783223fB6CA79eb4162
  getter('getParentByChild'), // 0x9c76561EeFe3b9C24F2C7071C090DBc758546e34
  getter('referral_tree'), // 0xA9e497E5186c8EBBBDc74DE6Fd2D3184f1506b39
  getter('parentOf'), // 0xa420479D1F34D7ef67f68B5982fa08F436D515Bc
  getter('userDirectReferrer'), // 0x4369dC31c2f6D65a4681b3aBdE7c053f48C0d66A
  getter('getUserDirectReferrer'), // 0x4369dC31c2f6D65a4681b3aBdE7c053f48C0d66A
  getter('getsuperior'), // 0x369b6B9Fd324b3dcfb8A76f6a00D2A6E90Eddb18
  getter('referralAnchor'), // 0x05608Fa0cd392C577560884d033bB2a6BC00927c
  getter('refOf'), // 0x3d695c1607a085773547e07dEf1aD3CE3f518Edb
  getter('beReferred'), // 0x3dACdDcd14a0b58Cf13D50Cad1bdc85E398E8ffe
  getter('usersUpline'), // 0x0D68B868131ba7168835B6E3a6Ff9b2789dD28fA
  getter('_referrer'), // 0x388b443Fc76eab2e565D6E5c176e36462E2692e5
  getter('fetchReferer'), // 0x69Edb33Ace2A125236CB04FFa6AF548232Ec9E6b
  getter('userReferred'), // 0x3559348a108ed38dedd28289c6bAB70c9d81dC2d
  getter('inviteAdd'), // 0x727E81Fc4859921aA338884552929fDEdf8F5c2E
  getter('userInviter'), // 0x206707B2cC8AE6DDC2D24278Eb0Ee72e25374111
  getter('getInviterUserByAddr'), // 0xbA367eE967B13580Cf02b9786734313C827dafd0
  getter('getUpline'), // 0x7f4a76011D55B919BA5EeA2A05Bb630FED04fa2d
  getter('fetchParent'), // 0x89Cc21b20706578B0cBC3fEaD0578A0E6dD51dC6
  getter('getRefer'), // 0x2E1b74BeE83c6779639B87C18c91d5Ab679c4e8e
  getter('getParentAddress'), // 0x99452Ad4DC7339BaB061f6BD8d73f163F2adF019
  getter('User_Upline'), // 0x419Ca5A90E41Ab1Cb359d9Ec79E812107B698eCE
  getter('getInvite'), // 0x92A71FCdD758f6C443af04Cb9833BEEecAa9860C
  getter('_rootInvitor'), // 0x61eBd3adb1AE89C4FE227aFf18dc9743A983AbCD
  getter('childToParent'), // 0x33e63F9A797A10733e3FB0d1C34C199f7640BFc8
  getter('getRecommend'), // 0x69aFf112689A9ccb6FBb46976824aCEC8C829dc4
  getter('myParent'), // 0x7098Fc43aaaa504b63b36a4408faE12f61a49b0F
  getter('parentAddress'), // 0x9c273cad89116F1D7197ef958433Fd22BEe14c13
  getter('invitor'), // 0x472a37B12719B27ac66281b92d43c4ba1e67a866
  getter('_inviteeRecord'), // 0xB220770a567Da464754ab769c3370326d4CC8904
  getter('getSuperior'), // 0xB927C511c40B6Ca6a0D1D5ec082216700b8A6062
  getter('getUserUpline'), // 0xb189597B3819c13465835B11b698Ae529bf17b5B
  getter('getLastRefer'), // 0xdAdA353192EBEE9c8701f13eEFbb526D5Ac9dE71
  getter('inviteAddress'), // 0xEd580cc57d7fAcafC5762B7bb16a391d8D341415
  getter('checkUser'), // 0xc26B472912EE9d5Ffd03CBb8FD555E2571812621
  getter('referrerLevel'), // 0x4189C6590322a1D015E04c334E8C60DaF8FAc9ba
  getter('_inviters'), // 0x14D8c9f5A09d0DeDFd11812683460730Dce8CE16
  getter('affiliates'), // 0x5f07b46b5d1941b81f0d692493E0A33e7a7E0457
  getter('plyParent'), // 0xA58aaD4B32Beb1049CA020Dc2FAbb01251219026
  getter('referral'), // 0xC9C0159644d3789EceB4f8cdfcF99C7605AE505c
  // Getters of structs: other contracts return others under the same name.
  ...[
    'users(address) view returns (uint256 id, address referrer, uint256 partnersCount)', // 0x04FDD7158338Ef7F420Dc386e3675be43eF90302
    'players(address) view returns (address referrer, uint256 dividends, uint256 match_bonus, uint40 last_payout, uint256 total_invested, uint256 total_withdrawn, uint256 total_match_bonus)', // 0x34DD69C25F2219FFBcf3232c89d5bd45533e04DB
    'referralRecordMap(address) view returns (bool hasDeposited, bool hasMadeValidReferral, address referrer, uint256 unclaimedRewards, uint256 validDirectReferrals)', // 0x70E7d458362c11bc7da9E53e45222fA65865d251
    'refStats(address) view returns (uint256 myLevel, address referrer, uint256 refCounts, uint256 refPurchases)', // 0x4c95c566983d6d3b040A2960717f716DdcE2FdA3
    'investors(address) view returns (address investor, address referrer, uint256 totalLocked, uint256 startTime, uint256 lastCalculationDate, uint256 claimableAmount, uint256 claimedAmount, uint256 referAmount)', // 0xDbB992CAD5312e9c6155Ce52711002F6b3eE1B1d
    'members(address) view returns (address referrer, uint8 level, uint256 totalReferredAmount, uint256 joinTimestamp)', // 0x47560040BFEC19401558F5E788059d8314dbb44B
    'userInfo(address) view returns (address referrer, uint40 depositTime, uint256 depositAmount, uint256 payouts, uint256 directBonus, uint256 matchBonus)', // 0x347C1bdF01E93e2966A73ECaa1B0574784e57dc7
    'userInfos(address) view returns (uint32 id, uint32 partnersCount, address referrer, uint32 recentPackage, bool incomeBlocked)', // 0xB1260c6774D68293Ff63B93465c0c3F9BbdE7e32
    'getUserInfo(address) view returns (uint256 claimable, address referrer, uint256 referrerReward, bool claimedAirdrop, bool isExists)', // 0x6e773D3F2B3016Ff5D89C4B600776FB8F3B75399
    'getuserInfo(address) view returns (address referrer, uint256 time, uint256 nodeLevel, bool isNode)', // 0x369b6B9Fd324b3dcfb8A76f6a00D2A6E90Eddb18
    'getUserData(address) view returns (uint256 balance, uint256 unclaimedRoi, uint256 commission, uint256 withdrawn, uint256 actionBlock, address referrer, bool registered)', // 0x43Ce45b405A1C96Ed5Bc33bbB38c672D579cc296
    'getUser(address) view returns (uint256 id, address referrer, uint256 earnings, uint256 tokenEarnings, uint256 tokenExchanges, uint256 createdAt)', // 0x683DbcBbbC6e9AEa823247C3E8aBdaA60B13fe0d
    'getUserDetails(address) view returns (address referrer, uint256 directChildren, uint256 children, uint256 directSales, uint256 sales)', // 0x4d051123379B16028A8ec1072bFc7c7166dB2A29
    'getUserProfile(address) view returns (uint256 first, uint256 second, uint256 third, address referrer, uint256 fifth, bool sixth)', // 0x4587eEB5737e8a168a431F1d7763C5522528eB6D
    'addressToPlayer(address) view returns (address referrer, uint256 time, uint256 nodeLevel)', // 0x369b6B9Fd324b3dcfb8A76f6a00D2A6E90Eddb18
    'accounts(address) view returns (address referrer, uint256 reward, uint256 referredCount)', // 0xA1508A7dFc3f3c787728528e2C2ce55660a5B59f
    'buyers(address) view returns (uint256 amount, uint256 releaseTime, uint256 startTime, address referrer)', // 0x37e0B10FC74ccE3f38D5bE284D439D2FE9C951c9
    'userSubscription(address) view returns (uint256 tokenAmount, address referrer, uint256 tier)', // 0x238e085132465f586bB5347f58fA17c74f462c3E
    'getTraderReferralInfo(address) view returns (bytes32 code, address referrer)', // 0x1B9a3A5B9cE62551D9702bF774dabbc5F67e04BD
    'user(address) view returns (uint8 character, uint256 money, uint256 frozen, uint256 tokenHold, uint256 elixir, uint256 deposit, uint256 earned, uint256 withdrawn, uint256 timestamp, uint256 percentage, address referrer)', // 0xf9d166C0202538Bd02480a65eFd4a05Fa6264D82
    'getUsers(address) view returns (uint256 id, address referrer)', // 0x50B4d59C6526e44a2B73C5d041fc6ba6bAb3830c
  ].map((text) => ({ view: `function ${text}`, output: 'referrer' })),
  // The place in the matrix of a level. Where `users` names the referrer, that is the one who invited.
  {
    view: 'function usersX3Matrix(address user, uint8 level) view returns (address referrer, address[] referrals, bool blocked)', // 0xc05857811671d0B4dC8e2673E4036B616657CEd7
    ...{ output: 'referrer', args: [1] },
  },
  {
    view: 'function usersE3Matrix(address user, uint8 level) view returns (address referrer, address[] referrals, bool blocked, uint256 count)', // 0xcbd22e28074BB2C817b79bc03a1a1C1630D683c9
    ...{ output: 'referrer', args: [1] },
  },
  // Members have ids, and a second view leads from an id to the address.
  ...[
    'idToAddress(uint256)', // 0x04FDD7158338Ef7F420Dc386e3675be43eF90302
    'userIds(uint256)', // 0x04FDD7158338Ef7F420Dc386e3675be43eF90302
    'userList(uint256)', // 0x8c91c7a25d90a4c1787f642A42DaC8ed0ca698Da
    'userAddressByID(uint256)', // 0x97De7395314ab26C1EB3998eD1ec0d74C32A3Df4
    'userAddresses(uint256)', // 0xBe8fC67256249361Dc9e9FccC1e8A7Fb7EBF78DD
    'idToAddr(uint256)', // 0x520F2488d236Ab82C095eEaAf3e3935AcB0703Be
  ].map((text) => ({
    view: 'function users(address) view returns (uint256 id, uint256 referrerId)', // 0xBe8fC67256249361Dc9e9FccC1e8A7Fb7EBF78DD
    output: 'referrerId',
    next: { view: `function ${text} view returns (address)` },
  })),
]

/** Returns the view of a mapping, or one of its form. */
function getter(name: string): KnownView {
  return { view: `function ${name}(address) view returns (address)` }
}

/** An event of referral contracts, and what its arguments are. */
export type KnownEvent =
  | { role: 'bind'; event: string; member: string; referrer: string; where?: Record<string, Value> }
  | { role: 'candidate'; event: string; members: string[] }
  | { role: AmountKind; event: string; member: string; amount: string; from?: string }

/** Events of the same contracts beside the presets, each kind with the most frequent first. */
export const knownEvents: readonly KnownEvent[] = [
  bind('event Registration(address user, address referrer)'), // 0x4369dC31c2f6D65a4681b3aBdE7c053f48C0d66A
  bind('event RegisterUserEvent(address indexed user, address indexed referrer, uint256 time)'), // 0xBe8fC67256249361Dc9e9FccC1e8A7Fb7EBF78DD
  bind('event regUserEv(address user, address referrer, uint256 id)'), // 0xB5B985390ef1EbcF301703c776e5F9f1C62B5280
  bind(
    'event TokenPurchase(address indexed user, address indexed referrer, uint256 value, uint256 amount, uint256 referralBonus)',
  ), // 0xFf0131Ec016bE3c669E4f7b2CA3E2047D39B1eee
  bind('event Sponsor(address indexed user, address indexed sponsor)', 'user', 'sponsor'), // 0x474877e0835E8F53B23D8455bb22A8d1bFC77208
  bind('event UserInvite(address indexed user, address inviter)', 'user', 'inviter'), // 0x66563c378C0dD25197aCD57Bf321BBDd0514e090
  bind('event BindEvent(address indexed parent, address indexed child, uint256 indexed time)', 'child', 'parent'), // 0x9c76561EeFe3b9C24F2C7071C090DBc758546e34
  bind('event Blind(uint256 type, address user, address parent, uint256 time)', 'user', 'parent'), // 0x6Ba723055cE4e5d9a756E9D13a98c801d7C0a809
  bind('event Deposited(address indexed user, address indexed referrer, uint256 amount)'), // 0x3C5F980137F2409C87605c1774138F93BdA0D632
  bind('event Upline(address indexed user, address indexed upline, uint256 bonus, uint256 time)', 'user', 'upline'), // 0x90A3eAf71F734eDB6eACc20537bF8836235dD291
  {
    ...bind(
      'event NewReferral(address indexed referrer, address indexed referral, uint256 indexed level)',
      'referral',
      'referrer',
    ), // 0x2F29352EDc43B0a6f56Ac6d190e3144e69272AF1
    where: { level: 1 },
  },
  bind(
    'event regLevelEvent(address indexed user, address indexed referrer, address original, uint256 amount, uint256 time)',
  ), // 0xbd48E0fe1b3b5566a4cD07728d97e5593F68acB4
  bind(
    'event onTokenPurchase(address indexed customer, uint256 incoming, uint256 minted, address indexed referredBy)',
    'customer',
    'referredBy',
  ), // 0x898aCec63CC80bdfbB6804E84494c07E5f19262b
  bind('event Upliner(address indexed user, address indexed upliner)', 'user', 'upliner'), // 0x060Dd0b5b189640e26974aD49E0896839Bf9623e
  bind('event MatrixRegEvent(address indexed user, address indexed referrer, uint256 time)'), // 0x8c91c7a25d90a4c1787f642A42DaC8ed0ca698Da
  bind('event SetRelationship(address indexed user, address indexed upline, address indexed above)', 'user', 'upline'), // 0x0D68B868131ba7168835B6E3a6Ff9b2789dD28fA
  bind('event Binding(address indexed referral, address indexed account, uint256 time)', 'account', 'referral'), // 0x1F8D44E961BFA2948fa3E15C27F3dB4366a504c4
  bind('event bindSuccess(address inviter, address user)', 'user', 'inviter'), // 0x82b2F159e48707Be6fF900b27B09931Ce6D7c540
  bind('event AirdropClaimed(address indexed user, address indexed referrer)'), // 0x6EbBA5FD63ddcF1dAcB15Ec8F55Ad317E810c343
  bind(
    'event Register(address indexed user, address indexed sponsor, uint256 indexed amount, uint256 time)',
    'user',
    'sponsor',
  ), // 0x5373fe7ac4347E9529fcc28BDb7b1B295919A042
  bind('event Inviter(address to, address upline)', 'to', 'upline'), // 0x43D24da9A0CD43D710D8C7C12C447D134e7682ed
  bind('event Referrer(address indexed owner, address referrer)', 'owner', 'referrer'), // 0x7954C06fF6f1439677f9604dB739440b9Ea11744
  bind('event ReferralAnchorCreated(address indexed user, address indexed referee)', 'user', 'referee'), // 0x05608Fa0cd392C577560884d033bB2a6BC00927c
  bind('event ReferralAnchorUpdated(address indexed user, address indexed referee)', 'user', 'referee'), // 0x05608Fa0cd392C577560884d033bB2a6BC00927c
  bind('event NewUserAdded(address indexed user, address ref)', 'user', 'ref'), // 0x2d5A1155e0AD0d0d3857649171b5D348258A5802
  bind('event BindInvite(address indexed user, address indexed inviter)', 'user', 'inviter'), // 0xEd580cc57d7fAcafC5762B7bb16a391d8D341415
  bind('event ReferralSet(address indexed referrer, address referee)', 'referee', 'referrer'), // 0x9A77C6051594dd6848295Bc6f0f4515872A3039c
  bind('event SetReferral(address user, address referrer, uint256 amount)'), // 0x17A3815C99DDb95fdAfB26c6C2A5Fc840C1B7DB2
  bind(
    'event Registration(address indexed user, address indexed referrer, uint256 indexed userId, uint256 referrerId, uint256 ownerShare)',
  ), // 0xf8228e1a1C2f7C3577898BcB0B1131E9253570F7
  bind(
    'event regUserEv(address user, uint256 userId, address referrer, uint256 referrerId, address parent, uint256 parentId, uint256 time)',
  ), // 0x685b594824D71a0526F24eA2549F412c1d7f1d35
  bind(
    'event Payout(address indexed user, address indexed receiver, uint256 indexed dividend, uint256 userId, uint256 referrerId, uint8 matrix, uint8 level, uint256 recordId, uint256 reentry)',
    'user',
    'receiver',
  ), // 0xcbd22e28074BB2C817b79bc03a1a1C1630D683c9
  bind('event ChangeUser(address indexed user, address indexed partner, uint256 amount)', 'user', 'partner'), // 0x4678F522B2acF93AF0e986494c1959C328E3577c
  bind('event Deposited(address indexed user, uint256 amount, address indexed referrer)'), // 0x73191407FA55082ba78dacC274DC9b99ab6CddbE
  bind('event Action(address user, address referrer, uint256 level, uint256 amount)'), // 0xc26B472912EE9d5Ffd03CBb8FD555E2571812621
  bind('event MintVBABY(address user, address superior, uint256 minted, uint256 totalPower)', 'user', 'superior'), // 0xB927C511c40B6Ca6a0D1D5ec082216700b8A6062
  bind(
    'event BuyIDO(address token, address user, uint256 amount, uint256 bought, address referral, uint256 referralAmount, uint256 time)',
    'user',
    'referral',
  ), // 0x3dACdDcd14a0b58Cf13D50Cad1bdc85E398E8ffe
  bind(
    'event inviterBuy(address buyer, address inviter, uint256 value, uint256 amount, uint256 total)',
    'buyer',
    'inviter',
  ), // 0x68C1fBfEa7319CCA420a43Da494095e4D8500CE1
  candidates('event goodbyeBot(address inviter, address user)', 'user'), // 0x68C1fBfEa7319CCA420a43Da494095e4D8500CE1
  bind('event ReferralBonusClaimed(address indexed user, address indexed referrer, uint256 amount, uint256 time)'), // 0xE7ec3d790639588b913B6bAf32102956825B3EcE
  candidates('event Transfer(address indexed from, address indexed to, uint256 value)', 'from', 'to'),
  candidates('event Newbie(address user)', 'user'), // 0x30c791253336CD57cfa6a970FEB09b1744853A78
  candidates('event Withdrawn(address indexed user, uint256 amount)', 'user'), // 0x30c791253336CD57cfa6a970FEB09b1744853A78
  candidates('event Withdraw(address indexed user, uint256 indexed pid, uint256 amount)', 'user'), // 0x08eEE9C8D38804dcBA77e66AAb0dEb5064c21370
  candidates('event Withdraw(address indexed user, uint256 amount)', 'user'), // 0x0A103bCb812dF065475D0cA12eB1E5A13D1116E0
  candidates('event Staked(address indexed user)', 'user'), // 0xE33EFc9B85ac9556a6b4EA93f9321fB9287Dc0f9
  candidates('event ReferralAddressAdded(address indexed user)', 'user'), // 0xE33EFc9B85ac9556a6b4EA93f9321fB9287Dc0f9
  candidates('event FeePayed(address indexed user, uint256 totalAmount)', 'user'), // 0x1fF7D58e21d40F98dC6f2BcD5BA8c16e54F6A5ED
  candidates('event Deposit(uint256 id, address user)', 'user'), // 0xDbB992CAD5312e9c6155Ce52711002F6b3eE1B1d
  candidates(
    'event TokensBought(address indexed user, uint256 indexed bought, address indexed token, uint256 paid, uint256 time)',
    'user',
  ), // 0xE7ec3d790639588b913B6bAf32102956825B3EcE
  candidates('event TokensWithdrawn(address indexed user, uint256 amount, address token)', 'user'), // 0xb189597B3819c13465835B11b698Ae529bf17b5B
  candidates('event TokenBondsPurchased(address indexed user, uint256 tokens, uint256 wbnb, uint256 lp)', 'user'), // 0x3559348a108ed38dedd28289c6bAB70c9d81dC2d
  candidates('event ReferralSetup(address indexed referral, uint256 mainReward, uint256 secondaryReward)', 'referral'), // 0xD468e058f3C91dd25fdB7B6d78c4c61dAC840E63
  candidates(
    'event onInvest(address investor, uint256 amount, uint256 level1, uint256 level2, uint256 level3)',
    'investor',
  ), // 0x06879D34370Bc8d44557BA4c037463bc266C7fc8
  reward(bindPresets.refBonus.event, 'referrer', 'referral'),
  reward('event RefBonus(address indexed referrer, address indexed referral, uint256 amount)', 'referrer', 'referral'), // 0x489a3D223Def992e07bC93148D51d2143b604368
  reward('event RefBack(address indexed referrer, address indexed referral, uint256 amount)', 'referrer', 'referral'), // 0x11e29f70A49b5ECBA337b35e267d676147642649
  reward('event MatchPayout(address indexed user, address indexed from, uint256 amount)', 'user', 'from'), // 0xb38326375279a65Bd9dc1Be71D1778C7838cCbF4
  reward('event DirectPayout(address indexed user, address indexed from, uint256 amount)', 'user', 'from'), // 0xb38326375279a65Bd9dc1Be71D1778C7838cCbF4
  reward('event PayCommission(address buyer, address user, uint256 amount)', 'user', 'buyer'), // 0x317487bbf7Baa1e468ad1bBC7779f4a1613320fd
  reward('event ReferralPaid(address indexed from, address indexed user, uint256 amount)', 'user', 'from'), // 0x08eEE9C8D38804dcBA77e66AAb0dEb5064c21370
  reward('event sponsorDirectEv(address from, address user, uint256 amount)', 'user', 'from'), // 0xB5B985390ef1EbcF301703c776e5F9f1C62B5280
  reward('event RewardPaid(address indexed user, uint256 amount)', 'user'), // 0x6F768b5F4F4317781E8f12c769f14138a38b2B24
  reward('event Reward(address indexed user, uint256 amount)', 'user'), // 0x53FD3c7dfDa8e91161e5De72253C0C001bB8fd1E
  volume('event NewDeposit(address indexed user, uint8 plan, uint256 amount)'), // 0x30c791253336CD57cfa6a970FEB09b1744853A78
  volume('event Deposit(address indexed user, uint256 indexed pid, uint256 amount)'), // 0x08eEE9C8D38804dcBA77e66AAb0dEb5064c21370
  volume('event NewDeposit(address indexed user, uint256 amount)'), // 0x409555eE4a8E5266C18a3FbaE346d2708Fa94689
  volume('event Staked(address indexed user, uint256 amount)'), // 0x615CAaD50cea846535934A0AC0186351569F1364
  volume(
    'event NewDeposit(address indexed user, uint8 plan, uint256 percent, uint256 amount, uint256 profit, uint256 start, uint256 finish)',
  ), // 0xf3A7C3d8CcD8cF3A891f9D3da22E58e3e438d15f
  volume('event NewDeposit(address indexed user, uint256 amount, uint8 plan)'), // 0x34DD69C25F2219FFBcf3232c89d5bd45533e04DB
  volume('event Deposit(address indexed user, uint256 amount)'), // 0x0A103bCb812dF065475D0cA12eB1E5A13D1116E0
  volume('event _Deposit(address indexed user, uint256 amount, uint40 time)'), // 0x5b75d0f08c8ba33B340cC73e81590aa5641E8847
  volume('event Invest(address indexed user, uint256 indexed times, uint256 amount)'), // 0xFe62906562FE3002F530886813EB7c78a8999999
  volume('event Deposited(address indexed user, uint256 amount)'), // 0x184401930AC416DF0Af999AeE4148E84b94932df
  volume('event OnStake(address user, uint256 amount, uint256 tax)'), // 0x81f3F519f6010c6Ae9DFF5935a93140F6FC00fF7
  volume('event Staking(address user, uint256 amount)'), // 0x4189C6590322a1D015E04c334E8C60DaF8FAc9ba
  volume('event BuyToken(address user, uint256 amount)'), // 0x4A429E6408950F91aA2172B6b6E0061B3439E73b
  volume('event Buy(address indexed user, uint256 amount)'), // 0x8Cb35deea69F6757040cDCF1257ac127807Bcd1e
  volume('event TokensDeposited(address indexed user, uint256 amount)'), // 0xb189597B3819c13465835B11b698Ae529bf17b5B
]

function bind(event: string, member = 'user', referrer = 'referrer'): Extract<KnownEvent, { role: 'bind' }> {
  return { role: 'bind', event, member, referrer }
}

function candidates(event: string, ...members: string[]): KnownEvent {
  return { role: 'candidate', event, members }
}

function reward(event: string, member: string, from?: string): KnownEvent {
  return { role: 'reward', event, member, amount: 'amount', ...(from && { from }) }
}

function volume(event: string): KnownEvent {
  return { role: 'volume', event, member: 'user', amount: 'amount' }
}
