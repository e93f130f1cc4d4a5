// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// The smallest contracts whose configuration an inspection has to find out, beside those of Families.sol.

/// @title An event with both addresses, whose name is in no dictionary, in either order
contract Linked {
    event MemberLinked(address indexed who, address indexed by);
    event LinkedBy(address by, address who);

    mapping(address member => address referrer) public getReferrer;
    bool private immutable memberFirst;

    constructor(bool isMemberFirst) {
        memberFirst = isMemberFirst;
    }

    function join(address referrer) external {
        require(getReferrer[msg.sender] == address(0), "bound");
        getReferrer[msg.sender] = referrer;
        if (memberFirst) emit MemberLinked(msg.sender, referrer);
        else emit LinkedBy(referrer, msg.sender);
    }
}

/// @title A known bind event without any view
contract Viewless {
    event Bind(address indexed first, address indexed second);

    function join(address referrer) external {
        emit Bind(referrer, msg.sender);
    }
}

/// @title A token, and nothing else: its balances, allowances and votes lead to no referrer
contract Plain {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    string public name = unicode"Plain\u001b[31m token";
    string public symbol = "PLAIN";
    uint8 public constant decimals = 6;
    address public owner = msg.sender;
    mapping(address account => uint256) public balanceOf;
    mapping(address account => mapping(address spender => uint256)) public allowance;
    mapping(address account => address) public delegates;

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        move(from, to, value);
        return true;
    }

    function delegate(address to) external {
        delegates[msg.sender] = to;
    }

    function approve(address spender, uint256 value) external {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    function move(address from, address to, uint256 value) private {
        unchecked {
            balanceOf[from] -= value;
            balanceOf[to] += value;
        }
        emit Transfer(from, to, value);
    }
}

/// @title No log of its own: only transfers of the token that it is paid in name members
contract Paid {
    struct User {
        uint256 paid;
        bool active;
        address upline;
        uint256[] history;
    }

    Plain private immutable token;
    mapping(address member => User) private users;

    constructor(Plain paidIn) {
        token = paidIn;
    }

    function getUserInfo(address member) external view returns (User memory) {
        return users[member];
    }

    function buy(address referrer) external {
        token.transferFrom(msg.sender, address(this), 5e6);
        if (users[msg.sender].upline == address(0)) users[msg.sender].upline = referrer;
        users[msg.sender].paid += 5e6;
        users[msg.sender].history.push(block.number);
    }
}

/// @title Deposits and rewards with amounts of a token
contract Rewarded {
    event Registered(address indexed user, address indexed referrer);
    event NewDeposit(address indexed user, uint256 amount);
    event RewardPaid(address indexed user, uint256 reward);

    Plain private immutable token;
    mapping(address member => address) public referrers;

    constructor(Plain paidIn) {
        token = paidIn;
    }

    function join(address referrer) external payable {
        if (referrers[msg.sender] == address(0)) {
            referrers[msg.sender] = referrer;
            emit Registered(msg.sender, referrer);
        }
        emit NewDeposit(msg.sender, msg.value);
        token.transfer(referrer, 7e6);
        emit RewardPaid(referrer, 7e6);
    }
}

/// @title The referrer is the second word of a private struct
contract PrivateStruct {
    event Joined(address who);

    struct User {
        uint256 joinedAt;
        address upline;
    }

    uint256 private first = 1;
    mapping(address member => User) private users;

    function join(address referrer) external {
        if (users[msg.sender].joinedAt == 0) users[msg.sender] = User(block.timestamp, referrer);
        emit Joined(msg.sender);
        ++first;
    }
}

/// @title Members have ids, which lead back to them; a matrix leads elsewhere
contract Matrix {
    event SignUp(uint256 indexed id, address indexed who);

    struct User {
        uint256 id;
        uint256 referrerId;
        uint256 partners;
    }

    mapping(address member => User) public users;
    mapping(uint256 id => address) public userList;
    mapping(address member => mapping(uint8 level => address)) private places;
    uint256 public lastId;

    function matrixOf(address member, uint8 level) external view returns (address, uint256) {
        return (places[member][level], lastId);
    }

    function join(uint256 referrerId) external {
        require(users[msg.sender].id == 0, "bound");
        users[msg.sender] = User(++lastId, referrerId, 0);
        userList[lastId] = msg.sender;
        ++users[userList[referrerId]].partners;
        places[msg.sender][1] = userList[lastId / 3];
        emit SignUp(lastId, msg.sender);
    }
}

/// @title Runs the code of another contract, whose address is in the place of EIP-1967
contract Proxy {
    constructor(bytes32 place, address target) {
        assembly {
            sstore(place, target)
        }
    }

    fallback() external payable {
        address target = implementation();
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), target, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(done) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }

    function implementation() internal view returns (address target) {
        assembly {
            // The places of an implementation and of a beacon.
            target := sload(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc)
            if iszero(target) {
                mstore(0, 0x5c60da1b00000000000000000000000000000000000000000000000000000000)
                let beacon := sload(0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50)
                if staticcall(gas(), beacon, 0, 4, 0, 32) { target := mload(0) }
            }
        }
    }
}

contract Beacon {
    address public implementation;

    constructor(address target) {
        implementation = target;
    }
}

/// @title Who invited a member, and its place in a matrix, each with an event; the numbers of partners are ids of others
contract Placed {
    struct User {
        uint256 id;
        address referrer;
        uint256 partnersCount;
    }

    event Registration(address indexed user, address indexed referrer, uint256 indexed userId, uint256 referrerId);
    event NewUserPlace(address indexed user, address indexed referrer, uint8 matrix, uint8 level, uint8 place);

    mapping(address member => User) public users;
    mapping(uint256 id => address) public idToAddress;
    mapping(address member => address) private places;
    uint256 private lastId;

    function usersX3Matrix(address member, uint8) external view returns (address, address[] memory, bool) {
        return (places[member], new address[](0), false);
    }

    function join(address referrer) external {
        users[msg.sender] = User(++lastId, referrer, 0);
        idToAddress[lastId] = msg.sender;
        if (referrer == address(0)) return;
        ++users[referrer].partnersCount;
        places[msg.sender] = lastId % 3 == 0 ? idToAddress[1] : referrer;
        emit Registration(msg.sender, referrer, lastId, users[referrer].id);
        emit NewUserPlace(msg.sender, places[msg.sender], 1, 1, 1);
    }
}

/// @title Members name the code of a referrer
contract Codes {
    event SetTraderReferralCode(address account, bytes32 code);

    mapping(bytes32 code => address) public codeOwners;
    mapping(address member => bytes32) public traderReferralCodes;

    function join(address referrer) external {
        codeOwners[toCode(msg.sender)] = msg.sender;
        traderReferralCodes[msg.sender] = toCode(referrer);
        emit SetTraderReferralCode(msg.sender, toCode(referrer));
    }

    function toCode(address member) private pure returns (bytes32) {
        return keccak256(abi.encode(member));
    }
}

/// @title Someone else sends the bind of a member
contract Relayed {
    event Referral(address indexed first, address indexed second);

    mapping(address member => address) private above;
    bool private immutable hasView;

    constructor(bool isAnswering) {
        hasView = isAnswering;
    }

    function referrerOf(address member) external view returns (address) {
        require(hasView);
        return above[member];
    }

    function bind(address member, address referrer) external {
        if (hasView) above[member] = referrer;
        emit Referral(referrer, member);
    }
}

/// @title Emits another event after an upgrade, and answers nothing; it may name someone else than the referrer
contract Renamed {
    event Bind(address indexed first, address indexed second);
    event BindReferral(address indexed user, address parent);

    address private immutable founder = msg.sender;
    bool private immutable isBind;
    uint256 private count;

    constructor(bool hasBinds) {
        isBind = hasBinds;
    }

    function join(address referrer) external {
        if (++count <= (isBind ? 9 : 12)) emit Bind(msg.sender, referrer);
        if (count > 9) emit BindReferral(msg.sender, isBind ? referrer : founder);
    }
}

/// @title The event has no name, so that its first topic is an address
contract Anonymous {
    event Bound(address indexed user, address indexed referrer) anonymous;

    mapping(address member => address) public referrers;

    function join(address referrer) external {
        referrers[msg.sender] = referrer;
        emit Bound(msg.sender, referrer);
    }
}

/// @title Rewards in one of two tokens, of which the event says nothing
contract TwoTokens {
    event Registered(address indexed user, address indexed referrer);
    event RewardPaid(address indexed user, uint256 reward);

    mapping(address member => address) public referrers;
    Plain private immutable one;
    Plain private immutable two;
    uint256 private count;

    constructor(Plain first, Plain second) {
        one = first;
        two = second;
    }

    function join(address referrer) external {
        referrers[msg.sender] = referrer;
        emit Registered(msg.sender, referrer);
        (++count % 2 == 0 ? two : one).transfer(referrer, 7e6);
        emit RewardPaid(referrer, 7e6);
    }
}

/// @title A list of users by id, from 1 on, who know the id of their referrer; the first is its own referrer
contract UserList {
    event Joined(uint256 indexed id, uint256 indexed referrerId, address indexed account);

    struct User {
        address account;
        uint256 referrerId;
        uint64 joinedAt;
    }

    User[] public users;
    mapping(address member => uint256) public idOf;

    constructor() {
        users.push();
    }

    function join(address referrer) external {
        uint256 id = users.length;
        idOf[msg.sender] = id;
        uint256 referrerId = referrer == address(0) ? id : idOf[referrer];
        users.push(User(msg.sender, referrerId, uint64(block.timestamp)));
        emit Joined(id, referrerId, msg.sender);
    }
}

/// @title A view that takes much gas for members far down, and fails for some
contract Costly {
    event Joined(address indexed user);

    mapping(address member => address referrer) private above;
    mapping(address member => bool) private isLocked;
    uint256 private immutable rounds;
    uint256 private immutable lockedOfEight;
    uint256 private count;

    constructor(uint256 roundsOfLevel, uint256 locked) {
        rounds = roundsOfLevel;
        lockedOfEight = locked;
    }

    function join(address referrer) external {
        above[msg.sender] = referrer;
        isLocked[msg.sender] = ++count % 8 < lockedOfEight;
        emit Joined(msg.sender);
    }

    function getInviter(address member) external view returns (address) {
        require(!isLocked[member], "locked");
        uint256 sum;
        for (address up = above[member]; up != address(0); up = above[up])
            for (uint256 round = 0; round < rounds; round++) sum += round;
        return sum == 1 ? address(0) : above[member];
    }
}

/// @title Several communities in one contract, of which one can be asked for by its number
contract Pools {
    event Bound(bytes32 indexed pool, address user, address referrer);
    event BoundIn(uint256 indexed pool, address user, address referrer);

    mapping(uint256 pool => mapping(address member => address)) private above;
    bool private immutable isAnswering;

    constructor(bool answers) {
        isAnswering = answers;
    }

    function join(uint256 pool, address referrer) external {
        above[pool][msg.sender] = referrer;
        if (isAnswering) emit BoundIn(pool, msg.sender, referrer);
        else emit Bound(keccak256(abi.encode(pool)), msg.sender, referrer);
    }

    function referrerIn(uint256 pool, address member) external view returns (address) {
        require(isAnswering, "unknown");
        return above[pool][member];
    }
}

/// @title Members whom the constructor binds without an event
contract Imported {
    event Bound(address user, address referrer);

    mapping(address member => address) public getInviter;

    constructor(address[] memory first, address referrer) {
        for (uint256 index = 0; index < first.length; index++) getInviter[first[index]] = referrer;
    }

    function join(address referrer) external {
        if (getInviter[msg.sender] != address(0)) return;
        getInviter[msg.sender] = referrer;
        emit Bound(msg.sender, referrer);
    }
}

/// @title A wish of each member, which only some referrers accept
contract Wished {
    event Asked(address indexed user, address indexed referrer);
    event Accepted(address indexed user, address indexed referrer);

    mapping(address member => address) public wishOf;
    mapping(address member => address) public mentorOf;

    function join(address referrer) external {
        wishOf[msg.sender] = referrer;
        emit Asked(msg.sender, referrer);
    }

    function accept(address user) external {
        require(wishOf[user] == msg.sender, "not asked");
        mentorOf[user] = msg.sender;
        emit Accepted(user, msg.sender);
    }
}

/// @title Codes that are texts: a member has one, and names that of its referrer
contract TextCodes {
    event Joined(address indexed user, string code);

    mapping(address member => string) public codeOf;
    mapping(address member => string) public usedCode;
    mapping(string code => address) public ownerOfCode;

    function join(address referrer) external {
        string memory own = string.concat("code-", string(abi.encodePacked(block.number, msg.sender)));
        codeOf[msg.sender] = own;
        ownerOfCode[own] = msg.sender;
        usedCode[msg.sender] = codeOf[referrer];
        emit Joined(msg.sender, own);
    }
}

/// @title A binary tree, in which the one above a member is another one than who invited it
contract Spilled {
    event Joined(address indexed user, address indexed parent, address sponsor);

    struct Node {
        uint256 since;
        address parent;
        address sponsor;
    }

    mapping(address member => Node) public nodes;
    address[] private all;

    function join(address sponsor) external {
        address parent = all.length == 0 ? address(0) : all[(all.length - 1) / 2];
        all.push(msg.sender);
        nodes[msg.sender] = Node(block.timestamp, parent, sponsor);
        emit Joined(msg.sender, parent, sponsor);
    }
}

/// @title Its members name their referrers, and only an event without a known name tells them
contract Named {
    event Zjoined(address indexed who, address indexed by);

    function join(address referrer) external {
        emit Zjoined(msg.sender, referrer);
    }
}

/// @title Makes a contract for each member, which keeps its referrer
contract Personal {
    event AccountMade(address indexed user, address account);

    mapping(address user => Account) public accountOf;

    function join(address referrer) external {
        accountOf[msg.sender] = new Account(referrer);
        emit AccountMade(msg.sender, address(accountOf[msg.sender]));
    }
}

contract Account {
    address public immutable referrer;

    constructor(address referrer_) {
        referrer = referrer_;
    }
}

/// @title A version that indexes one argument of its event, or both
contract Indexed {
    event Bind(address indexed user, address referrer);

    mapping(address user => address referrer) public getReferrer;

    function join(address referrer) external {
        getReferrer[msg.sender] = referrer;
        emit Bind(msg.sender, referrer);
    }
}

contract IndexedBoth {
    event Bind(address indexed user, address indexed referrer);

    mapping(address user => address referrer) public getReferrer;

    function join(address referrer) external {
        getReferrer[msg.sender] = referrer;
        emit Bind(msg.sender, referrer);
    }
}

/// @title Events of its own and no view: two that bind, one that a relayer sends, one with a place in a tree
contract Unnamed {
    event Zjoined(address indexed who, address indexed by, uint256 fee);
    event Zgifted(address indexed by, address indexed who);
    event Zplaced(address indexed account, address indexed who, address parent, address sponsor);

    address[] private all;

    function join(address referrer) external {
        all.push(msg.sender);
        if (all.length % 3 == 0) emit Zgifted(referrer, msg.sender);
        else emit Zjoined(msg.sender, referrer, 1);
    }

    function bind(address member, address referrer) external {
        emit Zgifted(referrer, member);
    }

    function place(address sponsor) external {
        address parent = all.length == 0 ? address(0) : all[(all.length - 1) / 2];
        all.push(msg.sender);
        emit Zplaced(address(new Account(sponsor)), msg.sender, parent, sponsor);
    }
}

/// @title Referrers send the binds of those they invite
contract Inviting {
    event Bind(address indexed first, address indexed second);

    function invite(address member) external {
        emit Bind(msg.sender, member);
    }
}

/// @title Members may leave, which removes their referrer
contract Leaving {
    event Joined(address indexed user);

    struct User {
        uint256 since;
        address upline;
    }

    mapping(address member => User) public users;

    function join(address referrer) external {
        users[msg.sender] = User(block.number, referrer);
        emit Joined(msg.sender);
    }

    function quit() external {
        users[msg.sender].upline = address(0);
    }
}

/// @title A number of each log, and the contract itself for those without a referrer
contract Airdrop {
    event Claimed(uint256 index, address account, uint256 amount, address referrer);

    mapping(address account => address referrer) public getReferrer;
    uint256 private count;

    function join(address referrer) external {
        if (referrer == address(0)) referrer = address(this);
        getReferrer[msg.sender] = referrer;
        emit Claimed(count++, msg.sender, 5e18, referrer);
    }
}

/// @title A pass for each member, which knows the pass of the referrer
contract Passes {
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    mapping(address member => uint256) public passOf;
    mapping(uint256 tokenId => address) public ownerOf;
    mapping(uint256 tokenId => uint256) public passAbove;
    uint256 private last;

    function join(address referrer) external {
        passOf[msg.sender] = ++last;
        ownerOf[last] = msg.sender;
        passAbove[last] = passOf[referrer];
        emit Transfer(address(0), msg.sender, last);
    }
}

/// @title A place in a binary tree and who invited, each behind a view of its own
contract Seated {
    event Seat(address indexed user, address indexed parent, address sponsor);

    mapping(address member => address) public parentOf;
    mapping(address member => address) public sponsorOf;
    address[] private all;

    function join(address sponsor) external {
        parentOf[msg.sender] = all.length == 0 ? address(0) : all[(all.length - 1) / 2];
        sponsorOf[msg.sender] = sponsor;
        all.push(msg.sender);
        emit Seat(msg.sender, parentOf[msg.sender], sponsor);
    }
}

/// @title Referrers of three levels, with the first member where there are fewer, behind a view
contract Threefold {
    event Zcounted(address indexed who);

    struct Above {
        address up1;
        address up2;
        address up3;
        uint256 since;
    }

    mapping(address member => Above) public uplines;
    address private first;

    function join(address referrer) external {
        if (first == address(0)) first = msg.sender;
        address up2 = referrer == address(0) ? referrer : above(referrer);
        address up3 = referrer == address(0) ? referrer : above(up2);
        uplines[msg.sender] = Above(referrer, up2, up3, block.timestamp);
        emit Zcounted(msg.sender);
    }

    function above(address member) private view returns (address) {
        return uplines[member].up1 == address(0) ? first : uplines[member].up1;
    }
}

/// @title The same in an event, whose arguments the sender gives
contract ThreefoldEvent {
    event Zentered(address indexed who, address up1, address up2, address up3);

    function join(address up1, address up2, address up3) external {
        emit Zentered(msg.sender, up1, up2, up3);
    }
}

/// @title Known events for each level of referrers, with the levels counted unlike in most contracts
contract Levelled {
    event NewReferral(address indexed referrer, address indexed user, uint8 indexed level);
    event RefBonus(address indexed referrer, address indexed referral, uint256 indexed level, uint256 amount);

    function join(address[] calldata uplines, bool isBonus) external {
        for (uint8 level = 0; level < uplines.length; level++) {
            if (isBonus) emit RefBonus(uplines[level], msg.sender, level + 1, 1e18);
            else emit NewReferral(uplines[level], msg.sender, level);
        }
    }
}

/// @title Moves a member with another event than the one that binds
contract Moved {
    event Bind(address indexed first, address indexed second);
    event Zmoved(address indexed who, address from, address indexed to);

    function join(address referrer) external {
        emit Bind(msg.sender, referrer);
    }

    function move(address from, address to) external {
        emit Zmoved(msg.sender, from, to);
    }
}
